import type { Clock } from '@trestle/runtime/clock'
import { LRUCache } from 'lru-cache'
import { batchLookups } from './batching.js'
import { databaseProblem } from './database-problem.js'

const MAX_HELD = 10_000
const MAX_MISSING = 50_000
// While Postgres is away, and with it everybody who could change a row, what is known is served on for so long.
const STALE_MS = 3_600_000
const MAX_LOOKING = 1_000
const CHUNK = 1_000

/** What is kept in memory, and how: `F` is what an id leads to, `K` is what a change is told by. */
export interface LiveRowsOf<F, K> {
  readonly clock: Clock
  /** What an id looks like: anything else leads nowhere. */
  readonly id: RegExp
  /** What these ids lead to; of one that is held it may answer the same again. */
  read(ids: readonly string[], held: (id: string) => F | undefined): Promise<Map<string, F>>
  /** What its changes are told by, where that is known. */
  keyOf(id: string, found?: F): K | undefined
  /** When it ends, in epoch milliseconds. */
  untilOf?(found: F): number
  /** How long it is believed that an id leads nowhere. */
  readonly missingMs: number
  /** What nobody asked for in this time is not kept. */
  readonly idleMs: number
  /** Refuses whoever asks while too many are looked up. */
  busy(): Error
}

interface Held<F> {
  readonly found: F
  goodUntil: number
  usedAt: number
}

/** What ids lead to, in the memory of this process: read in gathers, kept true by what is told of changes, and by reading again. */
export class LiveRows<F, K extends string | number> {
  readonly #held = new LRUCache<string, Held<F>>({ max: MAX_HELD })
  /** Ids that lead nowhere, and until when that is believed. */
  readonly #missing = new LRUCache<string, number>({ max: MAX_MISSING })
  readonly #looking = new Map<string, Promise<F | undefined>>()
  /** When a change was last told of, on the clock of `#begun`. */
  readonly #told = new LRUCache<K, number>({ max: MAX_HELD })
  #begun = 0
  readonly #find = batchLookups((ids: string[]) => this.read(ids))

  constructor(private readonly rows: LiveRowsOf<F, K>) {}

  /** At once where it is known. Throws what is `busy`, and rejects with a Problem while Postgres is away. */
  get(id: string): F | undefined | Promise<F | undefined> {
    const known = this.known(id)
    if (known) return known
    if (!this.rows.id.test(id) || this.now() < (this.#missing.get(id) ?? 0)) return undefined
    return this.look(id)
  }

  /** Undefined also where it only has to be looked up. */
  known(id: string): F | undefined {
    const now = this.now()
    const held = this.#held.get(id)
    if (!held || now >= held.goodUntil) return undefined
    held.usedAt = now
    return held.found
  }

  /** All that is held, by id, also what has to be read before it is served again. */
  *held(): Generator<[id: string, found: F]> {
    for (const [id, { found }] of this.#held.entries()) yield [id, found]
  }

  /** It has changed: these ids, which lead to it, are read before they are served again. */
  forget(key: K, ids: Iterable<string>): void {
    this.#told.set(key, ++this.#begun)
    for (const id of ids) {
      this.#missing.delete(id)
      // Whoever looks at it already may have looked too early.
      this.#looking.delete(id)
      const held = this.#held.peek(id)
      if (held) held.goodUntil = 0
    }
  }

  /** Reads everything that is held: for what was not heard of. */
  async readAgain(): Promise<void> {
    const idleSince = this.now() - this.rows.idleMs
    for (const [id, { usedAt }] of [...this.#held.entries()]) if (usedAt < idleSince) this.#held.delete(id)
    const ids = [...this.#held.keys()]
    while (ids.length > 0) await this.read(ids.splice(0, CHUNK))
  }

  private look(id: string): Promise<F | undefined> {
    const known = this.#looking.get(id)
    if (known) return known
    if (this.#looking.size >= MAX_LOOKING) throw this.rows.busy()
    const looking = this.find(id).finally(() => {
      if (this.#looking.get(id) === looking) this.#looking.delete(id)
    })
    this.#looking.set(id, looking)
    return looking
  }

  private async find(id: string): Promise<F | undefined> {
    try {
      const found = await this.#find(id)
      return found && this.now() < this.untilOf(found) ? found : undefined
    } catch (error) {
      throw databaseProblem(error) ?? error
    }
  }

  private async read(ids: readonly string[]): Promise<Map<string, F>> {
    const begun = ++this.#begun
    const found = await this.rows.read(ids, (id) => this.#held.peek(id)?.found)
    for (const id of ids) this.hold(id, found.get(id), begun)
    return found
  }

  private hold(id: string, found: F | undefined, begun: number): void {
    const now = this.now()
    const key = this.rows.keyOf(id, found)
    // A change that was told of meanwhile may be missing in what was read.
    const isLate = key !== undefined && (this.#told.get(key) ?? 0) > begun
    if (!found || this.untilOf(found) <= now) {
      this.#held.delete(id)
      if (!isLate) this.#missing.set(id, now + this.rows.missingMs)
      return
    }
    const usedAt = this.#held.peek(id)?.usedAt ?? now
    this.#missing.delete(id)
    this.#held.set(id, { found, usedAt, goodUntil: isLate ? 0 : Math.min(this.untilOf(found), now + STALE_MS) })
  }

  private untilOf(found: F): number {
    return this.rows.untilOf?.(found) ?? Number.POSITIVE_INFINITY
  }

  private now(): number {
    return this.rows.clock.now().getTime()
  }
}
