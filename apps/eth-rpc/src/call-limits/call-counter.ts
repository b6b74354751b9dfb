/** So many calls in a period; as many at once after a pause. */
export interface CallRate {
  readonly calls: number
  readonly periodMs: number
}

interface Entry {
  /** When all of it has been let through at its rate: an entry whose time is past is as good as none. */
  paidAt: number
  /** Let through here, and not reported to the other processes. */
  unreported: number
}

/** A key and how many calls it had. */
type CountedCalls = [key: string, calls: number]

// What other processes let through is owed for so long at most.
const MAX_DEBT_PERIODS = 10
/** An entry is reported once it has such a part of its rate. */
const REPORTED_PART = 0.1
/** Newcomers share one entry while there is room for no other. */
const CROWD = ''

/**
 * Calls by key, such as an address, each held to the same rate (GCRA). What does not fit in is not let push others out: an entry goes only once
 * its time is past, the least recently used first, and whoever finds no room shares one entry with all who do not.
 */
export class CallCounter {
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  /** The keys that are to be reported. */
  readonly #due = new Set<string>()

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.#entries.size
  }

  /** Lets a call through, or returns in how many milliseconds one will be. */
  take(key: string, rate: CallRate, now: number, hasRoom = true): number {
    const entry = this.use(key, now, hasRoom)
    const intervalMs = rate.periodMs / rate.calls
    const waitMs = entry.paidAt - now - (rate.periodMs - intervalMs)
    if (waitMs > 0) return Math.max(1, Math.ceil(waitMs))
    entry.paidAt = Math.max(entry.paidAt, now) + intervalMs
    if (++entry.unreported >= rate.calls * REPORTED_PART) this.#due.add(key)
    return 0
  }

  /** What another process has let through. */
  debit([key, calls]: CountedCalls, { calls: most, periodMs }: CallRate, now: number, hasRoom = true): void {
    const entry = this.use(key, now, hasRoom)
    const paidAt = Math.max(entry.paidAt, now) + (calls * periodMs) / most
    entry.paidAt = Math.max(entry.paidAt, Math.min(paidAt, now + MAX_DEBT_PERIODS * periodMs))
  }

  /** What the other processes should know: what is a large part of the rate, at once or little by little. */
  takeUnreported(max: number): CountedCalls[] {
    const counted: CountedCalls[] = []
    for (const key of this.#due) {
      if (counted.length === max) break
      this.#due.delete(key)
      const entry = this.#entries.get(key)
      if (!entry) continue
      counted.push([key, entry.unreported])
      entry.unreported = 0
    }
    return counted
  }

  /** Drops the entries whose time is past, as far as none that was used before them is in use. */
  forgetPast(now: number): void {
    for (const [key, { paidAt }] of this.#entries) {
      if (paidAt > now) return
      this.#entries.delete(key)
    }
  }

  private use(key: string, now: number, hasRoom: boolean): Entry {
    const known = this.#entries.get(key)
    if (known) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known
    }
    if (key !== CROWD && !this.makeRoom(now, hasRoom)) return this.use(CROWD, now, hasRoom)
    const entry = { paidAt: now, unreported: 0 }
    this.#entries.set(key, entry)
    return entry
  }

  private makeRoom(now: number, hasRoom: boolean): boolean {
    if (hasRoom && this.#entries.size < this.maxEntries) return true
    const [oldest] = this.#entries
    if (!oldest || oldest[1].paidAt > now) return false
    this.#entries.delete(oldest[0])
    return true
  }
}
