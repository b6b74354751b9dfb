import { Injectable } from '@nestjs/common'
import { databaseProblem } from '@trestle/database/database-problem'
import { gather } from '@trestle/database/gather'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { LRUCache } from 'lru-cache'
import { type Found, type Holding, HoldingReader } from './holding-reader.service.js'

const ID = /^(?:node|cluster)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_HELD = 10_000
const MAX_MISSING = 50_000
const MISSING_MS = 1_000
// While Postgres is away, and with it everybody who could change a holding, what is known is served on for so long.
const STALE_MS = 3_600_000
const IDLE_MS = 600_000
const MAX_LOOKING = 1_000
const CHUNK = 1_000

interface Held extends Found {
  goodUntil: number
  usedAt: number
}

/** The holdings that this process serves, in memory. */
@Injectable()
export class LiveHoldings {
  readonly #held = new LRUCache<string, Held>({ max: MAX_HELD })
  /** Ids that lead nowhere, and until when that is believed. */
  readonly #missing = new LRUCache<string, number>({ max: MAX_MISSING })
  readonly #looking = new Map<string, Promise<Holding | undefined>>()
  /** When a change was last told of, on the clock of `#begun`. */
  readonly #told = new LRUCache<string, number>({ max: MAX_HELD })
  #begun = 0
  readonly #find = gather((ids: string[]) => this.read(ids))

  constructor(
    private readonly reader: HoldingReader,
    private readonly clock: Clock,
  ) {}

  /** At once where it is known; rejects with a Problem where it cannot be known at the moment. */
  get(id: string): Holding | undefined | Promise<Holding | undefined> {
    const known = this.known(id)
    if (known) return known
    if (!ID.test(id) || this.clock.now().getTime() < (this.#missing.get(id) ?? 0)) return undefined
    return this.look(id)
  }

  /** Undefined also where it only has to be looked up. */
  known(id: string): Holding | undefined {
    const now = this.clock.now().getTime()
    const held = this.#held.get(id)
    if (!held || now >= held.goodUntil) return undefined
    held.usedAt = now
    return held.holding
  }

  /** It has changed: it is read before it is served again. */
  forget(id: string): void {
    this.#told.set(id, ++this.#begun)
    this.#missing.delete(id)
    // Whoever looks at it already may have looked too early.
    this.#looking.delete(id)
    const held = this.#held.peek(id)
    if (held) held.goodUntil = 0
  }

  /** Reads everything that is held: for what was not heard of. */
  async readAgain(): Promise<void> {
    const idleSince = this.clock.now().getTime() - IDLE_MS
    for (const [id, { usedAt }] of [...this.#held.entries()]) if (usedAt < idleSince) this.#held.delete(id)
    const ids = [...this.#held.keys()]
    while (ids.length > 0) await this.read(ids.splice(0, CHUNK))
  }

  private look(id: string): Promise<Holding | undefined> {
    const known = this.#looking.get(id)
    if (known) return known
    if (this.#looking.size >= MAX_LOOKING) throw unavailable('Too many nodes are looked up at the moment.')
    const looking = this.findHolding(id).finally(() => {
      if (this.#looking.get(id) === looking) this.#looking.delete(id)
    })
    this.#looking.set(id, looking)
    return looking
  }

  private async findHolding(id: string): Promise<Holding | undefined> {
    try {
      return (await this.#find(id))?.holding
    } catch (error) {
      throw databaseProblem(error) ?? error
    }
  }

  private async read(ids: readonly string[]): Promise<Map<string, Found>> {
    const begun = ++this.#begun
    const found = await this.reader.read(ids, (id) => this.#held.peek(id))
    const now = this.clock.now().getTime()
    for (const id of ids) this.hold(id, found.get(id), { begun, now })
    return found
  }

  private hold(id: string, found: Found | undefined, { begun, now }: { begun: number; now: number }): void {
    // A change that was told of meanwhile may be missing in what was read.
    const isLate = (this.#told.get(id) ?? 0) > begun
    if (!found) {
      this.#held.delete(id)
      if (!isLate) this.#missing.set(id, now + MISSING_MS)
      return
    }
    const usedAt = this.#held.peek(id)?.usedAt ?? now
    this.#missing.delete(id)
    this.#held.set(id, { ...found, usedAt, goodUntil: isLate ? 0 : now + STALE_MS })
  }
}

function unavailable(detail: string): Problem {
  return new Problem('unavailable', 'GatewayBusy', detail, { headers: retryAfter(1) })
}
