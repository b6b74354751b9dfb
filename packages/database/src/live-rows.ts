import type { Clock } from '@trestle/runtime/clock'
import { LRUCache } from 'lru-cache'
import { batchLookups } from './batching.js'
import { databaseProblem } from './database-problem.js'

const MAX_HELD = 10_000
const MAX_MISSING = 50_000
// While Postgres is away, and with it everybody who could change a row, what is known is served on for so long.
export const STALE_MS = 3_600_000
const MAX_LOOKUPS = 1_000
const CHUNK = 1_000

/** A live table: `R` is a row, `V` the value that is made of it and served, `K` the key that its changes are announced by. */
export interface LiveTable<R, V, K> {
  readonly clock: Clock
  /** What an id looks like: anything else leads nowhere. */
  readonly id: RegExp
  /** The rows that have one of these ids. */
  list(ids: readonly string[]): Promise<readonly R[]>
  /** The ids that lead to a row, and when each ends, in epoch milliseconds, where it does. */
  idsOf(row: R): Iterable<{ readonly id: string; readonly until?: number }>
  /** A row that is read again in the same version keeps its value. */
  versionOf(row: R): string | number
  make(row: R): V
  /** Without a row: of an id that leads nowhere, where that has a key. */
  keyOf(id: string, row?: R): K | undefined
  /** How long it is believed that an id leads nowhere. */
  readonly missingMs: number
  /** A row that was not asked for in this time is not kept. */
  readonly idleMs: number
  /** Refuses a look-up while there are too many, or while Postgres is away. */
  refuse(reason: 'busy' | 'unavailable'): Error | undefined
}

interface Entry<V, K> {
  readonly value: V
  readonly version: string | number
  readonly key: K | undefined
  readonly until: number
}

interface Held<V, K> extends Entry<V, K> {
  goodUntil: number
  usedAt: number
}

/** Rows in the memory of this process: looked up in batches, read again when a change is announced, and refreshed for changes that were missed. */
export class LiveRows<R, V, K extends string | number> {
  readonly #held = new LRUCache<string, Held<V, K>>({ max: MAX_HELD })
  /** Ids that lead nowhere, and until when that is believed. */
  readonly #missing = new LRUCache<string, number>({ max: MAX_MISSING })
  readonly #lookups = new Map<string, Promise<V | undefined>>()
  /** When a change was last announced, on the clock of `#reads`. */
  readonly #changes = new LRUCache<K, number>({ max: MAX_HELD })
  #reads = 0
  readonly #readBatched = batchLookups((ids: string[]) => this.read(ids))

  constructor(private readonly table: LiveTable<R, V, K>) {}

  /** At once where it is known. Throws, or rejects with, what `refuse` makes; otherwise a Problem while Postgres is away. */
  get(id: string): V | undefined | Promise<V | undefined> {
    const known = this.known(id)
    if (known) return known
    if (!this.table.id.test(id) || this.now() < (this.#missing.get(id) ?? 0)) return undefined
    return this.lookUp(id)
  }

  /** Undefined also where it only has to be looked up. */
  known(id: string): V | undefined {
    const now = this.now()
    const held = this.#held.get(id)
    if (!held || now >= held.goodUntil) return undefined
    held.usedAt = now
    return held.value
  }

  /** The row with this key has changed: it is read before it is served again. */
  forget(key: K, ids: Iterable<string> = this.idsWith(key)): void {
    this.#changes.set(key, ++this.#reads)
    for (const id of [...ids]) {
      this.#missing.delete(id)
      // A look-up that has begun may have read too early.
      this.#lookups.delete(id)
      const held = this.#held.peek(id)
      if (held) held.goodUntil = 0
    }
  }

  /** Reads everything held again, for changes whose announcement was missed. */
  async readAgain(): Promise<void> {
    const idleSince = this.now() - this.table.idleMs
    for (const [id, { usedAt }] of [...this.#held.entries()]) if (usedAt < idleSince) this.#held.delete(id)
    const ids = [...this.#held.keys()]
    while (ids.length > 0) await this.read(ids.splice(0, CHUNK))
  }

  private *idsWith(key: K): Generator<string> {
    for (const [id, held] of this.#held.entries()) if (held.key === key) yield id
  }

  private lookUp(id: string): Promise<V | undefined> {
    const running = this.#lookups.get(id)
    if (running) return running
    if (this.#lookups.size >= MAX_LOOKUPS) throw this.table.refuse('busy') ?? new Error('too many look-ups')
    const lookup = this.find(id).finally(() => {
      if (this.#lookups.get(id) === lookup) this.#lookups.delete(id)
    })
    this.#lookups.set(id, lookup)
    return lookup
  }

  private async find(id: string): Promise<V | undefined> {
    try {
      const entry = await this.#readBatched(id)
      return entry && this.now() < entry.until ? entry.value : undefined
    } catch (error) {
      const problem = databaseProblem(error)
      throw problem ? (this.table.refuse('unavailable') ?? problem) : error
    }
  }

  private async read(ids: readonly string[]): Promise<Map<string, Entry<V, K>>> {
    const begun = ++this.#reads
    const rows = await this.table.list(ids)
    const entries = new Map(rows.flatMap((row) => this.entriesOf(row)))
    for (const id of ids) this.hold(id, entries.get(id), begun)
    return entries
  }

  private entriesOf(row: R): [string, Entry<V, K>][] {
    const { table } = this
    const version = table.versionOf(row)
    return [...table.idsOf(row)].map(({ id, until = Number.POSITIVE_INFINITY }) => {
      const held = this.#held.peek(id)
      const value = held?.version === version ? held.value : table.make(row)
      return [id, { value, version, until, key: table.keyOf(id, row) }]
    })
  }

  private hold(id: string, entry: Entry<V, K> | undefined, begun: number): void {
    const now = this.now()
    const key = entry ? entry.key : this.table.keyOf(id)
    // A change that was announced meanwhile may be missing in what was read.
    const isLate = key !== undefined && (this.#changes.get(key) ?? 0) > begun
    if (!entry || entry.until <= now) {
      this.#held.delete(id)
      if (!isLate) this.#missing.set(id, now + this.table.missingMs)
      return
    }
    const usedAt = this.#held.peek(id)?.usedAt ?? now
    this.#missing.delete(id)
    this.#held.set(id, { ...entry, usedAt, goodUntil: isLate ? 0 : Math.min(entry.until, now + STALE_MS) })
  }

  private now(): number {
    return this.table.clock.now().getTime()
  }
}
