import { types } from 'node:util'
import { Clock } from '@trestle/runtime/clock'
import { importJWK } from 'jose'
import { LRUCache } from 'lru-cache'
import { keysIn, type PublishedKey } from './key-set.js'

/** A key that verifies signatures; the same object for as long as it is published. */
export interface ProviderKey extends Omit<PublishedKey, 'jwk'> {
  readonly key: Awaited<ReturnType<typeof importJWK>>
  readonly fingerprint: string
}

type KeySet = readonly ProviderKey[]

interface Held {
  keys?: KeySet
  /** When they were fetched. */
  fetchedAt: number
  /** When they were last asked for. */
  triedAt: number
  running?: Promise<void>
  /** Why the last try failed. */
  reason?: string
}

interface KeySetsParts {
  readonly client: { fetch(url: string): Promise<string> }
  readonly clock: Clock
  readonly onFailure: (url: string, error: unknown) => void
}

const FRESH_MS = 5 * 60_000
/** While a provider is away, its keys are believed for so long. */
const STALE_MS = 3_600_000
/** An unknown key has the set fetched so often at most, however many such keys tokens name. */
const REFETCH_MS = 60_000
const RETRY_MS = 10_000
const MAX_SETS = 1_000
const MAX_FETCHES = 100

/** The public keys of identity providers, by the URL of their set. */
export class KeySets {
  readonly #held = new LRUCache<string, Held>({ max: MAX_SETS })
  #fetches = 0

  constructor(private readonly parts: KeySetsParts) {}

  /** The keys that are known and may be believed; old ones are fetched again meanwhile. */
  current(url: string): KeySet | undefined {
    const held = this.#held.get(url)
    const age = held?.keys && this.now() - held.fetchedAt
    if (!held || age === undefined || age > STALE_MS) return undefined
    if (age > FRESH_MS) void this.refresh(url, held, REFETCH_MS)
    return held.keys
  }

  /** The key that a token names, fetched where it is not known. Undefined: there is none. */
  async find(url: string, token: { readonly kid?: string; readonly alg: string }): Promise<ProviderKey | undefined> {
    const known = keyFor(this.current(url), token)
    if (known) return known
    const held = this.#held.get(url) ?? { fetchedAt: Number.NEGATIVE_INFINITY, triedAt: Number.NEGATIVE_INFINITY }
    this.#held.set(url, held)
    await this.refresh(url, held, held.keys ? REFETCH_MS : RETRY_MS)
    const keys = this.current(url)
    if (!keys) throw new KeysUnavailable(held.reason ?? 'they are being fetched by too many others')
    return keyFor(keys, token)
  }

  private async refresh(url: string, held: Held, intervalMs: number): Promise<void> {
    if (held.running) return held.running
    if (this.now() - held.triedAt < intervalMs || this.#fetches >= MAX_FETCHES) return
    held.triedAt = this.now()
    this.#fetches++
    held.running = this.fetch(url, held).finally(() => {
      held.running = undefined
      this.#fetches--
    })
    return held.running
  }

  /** Never rejects: what was known stays. */
  private async fetch(url: string, held: Held): Promise<void> {
    try {
      const published = keysIn(await this.parts.client.fetch(url))
      const known = new Map(held.keys?.map((key) => [key.fingerprint, key]))
      const imported = await Promise.all(published.map((each) => known.get(JSON.stringify(each)) ?? importedKey(each)))
      const keys = imported.filter((key) => key !== undefined)
      // A provider without keys cannot have signed anything: those that are known are the better choice.
      if (keys.length === 0) throw new Error('it has no key of RS256, ES256 or EdDSA')
      held.keys = keys
      held.fetchedAt = this.now()
      held.reason = undefined
    } catch (error) {
      held.reason = reasonOf(error)
      this.parts.onFailure(url, error)
    }
  }

  private now(): number {
    return this.parts.clock.now().getTime()
  }
}

/** Nobody can say whether a token is good. */
export class KeysUnavailable extends Error {}

/** RFC 7517 section 4.5: a token need not name its key where there is only one that can be meant. */
function keyFor(keys: KeySet = [], { kid, alg }: { readonly kid?: string; readonly alg: string }): ProviderKey | undefined {
  const possible = keys.filter((key) => key.algorithm === alg && (kid === undefined || key.kid === kid))
  return kid === undefined && possible.length > 1 ? undefined : possible[0]
}

async function importedKey(published: PublishedKey): Promise<ProviderKey | undefined> {
  const { kid, algorithm, jwk } = published
  try {
    return { kid, algorithm, key: await importJWK(jwk, algorithm), fingerprint: JSON.stringify(published) }
  } catch {
    // No point of the curve, say.
    return undefined
  }
}

/** What the owner of a project may read: nothing of what a host has sent. */
function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return 'an unknown error'
  if (error instanceof SyntaxError || error.name === 'ZodError' || error.name === '$ZodError') return 'it is no JWK Set'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
