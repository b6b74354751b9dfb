/** What is stored about the signer of a region. */
export interface SignerRecord {
  readonly chain: string
  readonly region: string
  /** Undefined until its signer answered for the first time. */
  readonly identity?: string
  readonly boundAt?: Date
  readonly acceptedBy?: string
  /** What answered last, where it is not the signer that the region is bound to. */
  readonly other?: OtherAnswer
  readonly away?: Absence
  readonly keys: number
  /** Those of them that no validator has. */
  readonly unknownKeys: number
  /** The last pass. */
  readonly watchedAt: Date
  readonly watchedSince: Date
}

interface OtherAnswer {
  readonly identity: string
  /** Another identity; or the same one without any of the keys that it had, as a new or emptied signer. */
  readonly reason: 'identity' | 'keys'
  readonly since: Date
}

interface Absence {
  readonly reason: string
  readonly since: Date
}

/** How a signer answered in a pass. */
export type SignerContact =
  | { readonly kind: 'listed'; readonly identity: string; readonly keys: readonly Buffer[] }
  // Its certificate shows already that it is another one.
  | { readonly kind: 'other'; readonly identity: string }
  | { readonly kind: 'away'; readonly reason: string }

/** The keys that a signer listed, compared with what the database has. */
export interface KeyCount {
  /** Keys that it should have: listed before, neither lost nor deleted since. */
  readonly expected: number
  /** Those of them that it lists. */
  readonly found: number
  readonly unknown: number
}

/** After such a gap between passes, this database may be a backup that was restored. */
const GAP_MS = 15 * 60_000

export function regionSignerAfter(
  region: Pick<SignerRecord, 'chain' | 'region'>,
  before: SignerRecord | undefined,
  contact: SignerContact,
  { count, now }: { readonly count: KeyCount; readonly now: Date },
): SignerRecord {
  const known = before ?? { ...region, keys: 0, unknownKeys: 0, watchedAt: now, watchedSince: new Date(now.getTime() - GAP_MS) }
  const isGap = now.getTime() - known.watchedAt.getTime() > GAP_MS
  const watched = { ...known, watchedAt: now, watchedSince: isGap ? now : known.watchedSince }
  if (contact.kind === 'away') return { ...watched, away: { reason: contact.reason, since: known.away?.since ?? now } }
  const answered = { ...watched, away: undefined }
  const reason = contact.kind === 'other' ? 'identity' : reasonToRefuse(known, contact.identity, count)
  const { identity } = contact
  const counted = contact.kind === 'other' ? {} : { keys: contact.keys.length, unknownKeys: count.unknown }
  if (reason) return { ...answered, ...counted, other: { identity, reason, since: sinceOf(known, identity) ?? now } }
  return { ...answered, ...counted, other: undefined, identity, boundAt: known.boundAt ?? now }
}

function reasonToRefuse(
  known: Pick<SignerRecord, 'identity'>,
  identity: string,
  { expected, found }: KeyCount,
): OtherAnswer['reason'] | undefined {
  if (known.identity !== undefined && known.identity !== identity) return 'identity'
  return expected > 0 && found === 0 ? 'keys' : undefined
}

function sinceOf({ other }: Pick<SignerRecord, 'other'>, identity: string): Date | undefined {
  return other?.identity === identity ? other.since : undefined
}
