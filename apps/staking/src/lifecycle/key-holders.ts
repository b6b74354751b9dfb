import type { KeyPresence, SignerBinding } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

/** Keys that are due whatever is known about them. */
export type ChangedKeys = 'everything' | readonly Buffer[]

const MAX_CHANGED = 1_000

interface RegionFindings {
  /** The signers that regions are bound to, without those behind which another one answers. */
  readonly bindings?: ReadonlyMap<string, SignerBinding>
  /** Why the signer of a region did not answer. */
  readonly failures?: ReadonlyMap<string, string>
}

/** The keys that signers list, by region. A region whose signer did not answer is missing. */
export class KeyHolders {
  private readonly keys: ReadonlyMap<string, ReadonlySet<string>>

  constructor(
    lists: ReadonlyMap<string, readonly Buffer[]>,
    private readonly findings: RegionFindings = {},
  ) {
    this.keys = new Map(Array.from(lists, ([region, keys]) => [region, new Set(keys.map((key) => key.toString('hex')))]))
  }

  /** Undefined if the signer of its region did not answer. */
  presenceOf({ pubkey, region }: Pick<ValidatorRecord, 'pubkey' | 'region'>): KeyPresence | undefined {
    const key = pubkey.toString('hex')
    const own = this.keys.get(region)
    if (!own) return undefined
    const others = [...this.keys].filter(([name]) => name !== region)
    const binding = this.findings.bindings?.get(region)
    return { held: own.has(key), heldElsewhere: others.some(([, keys]) => keys.has(key)), ...(binding && { binding }) }
  }

  /** Why there is no `presenceOf` its keys. */
  failureOf({ region }: Pick<ValidatorRecord, 'region'>): string | undefined {
    return this.findings.failures?.get(region)
  }

  /** Keys that a signer lists and did not list before, or the reverse; `everything` if they are many, or a signer did not answer before. */
  changedSince(earlier: KeyHolders | undefined): ChangedKeys {
    const changed: string[] = []
    for (const [region, keys] of this.keys) {
      const before = earlier?.keys.get(region)
      if (!before) return 'everything'
      changed.push(...missingIn(keys, before), ...missingIn(before, keys))
    }
    return changed.length > MAX_CHANGED ? 'everything' : changed.map((key) => Buffer.from(key, 'hex'))
  }
}

function missingIn(others: ReadonlySet<string>, keys: ReadonlySet<string>): string[] {
  return [...keys].filter((key) => !others.has(key))
}
