import { type Share, TokenBucket } from './token-bucket.js'

/** How much more or less than it may be was admitted is made up for within some of this. */
const CORRECTION_SECONDS = 0.6
/** Demand is a mean over about this time. */
const DEMAND_SECONDS = 0.2
// Until they are called, all processes together count as this part of the rate, and so have the same share each.
const QUIET_DEMAND = 0.1
/** Of the others, in rates: whoever claims more is forgotten as soon as this. */
const MAX_DEMAND = 1_000
/** Of its share, whatever was admitted too much. */
const MIN_RATE = 0.05

/**
 * Which part of a rate this process may admit, among others that admit calls under the same limit: by what is asked of each, so that the parts of
 * all add up to the whole wherever the calls come in. What all have admitted, as far as it is known here, corrects what reports came too late for.
 */
export class FairShare {
  /** What all processes together may admit. */
  readonly #common: TokenBucket
  #at: number
  /** Compute units a second. */
  #demand = 0
  #othersDemand = 0
  #asked = 0
  #admitted = 0
  #weight = 1

  constructor(whole: Share, now: number) {
    this.#common = new TokenBucket(whole, now)
    this.#at = now
  }

  /** The part of this process, from 0 to 1. */
  get weight(): number {
    return this.#weight
  }

  /** When it was last brought up to date. */
  get at(): number {
    return this.#at
  }

  noteAsked(units: number): void {
    this.#asked += units
  }

  noteAdmitted(units: number): void {
    this.#admitted += units
  }

  /** What others have admitted and refused. */
  noteOthers(admitted: number, refused: number, whole: Share, now: number): void {
    this.#common.debit(admitted, whole, now)
    this.#othersDemand = Math.min(this.#othersDemand + (admitted + refused) / DEMAND_SECONDS, whole.rate * MAX_DEMAND)
  }

  advance(whole: Share, now: number): void {
    const fading = Math.exp(-Math.max(0, now - this.#at) / 1000 / DEMAND_SECONDS)
    this.#at = now
    this.#common.debit(this.#admitted, whole, now)
    this.#demand = Math.min(this.#demand * fading + this.#asked / DEMAND_SECONDS, whole.rate)
    this.#othersDemand *= fading
    this.#asked = 0
    this.#admitted = 0
  }

  /** What this process may admit. */
  of(whole: Share, processes: number): Share {
    const quiet = (whole.rate * QUIET_DEMAND) / processes
    this.#weight = (this.#demand + quiet) / (this.#demand + this.#othersDemand + quiet * processes)
    const corrected = Math.max(whole.rate + this.#common.tokens / CORRECTION_SECONDS, whole.rate * MIN_RATE)
    return { capacity: whole.capacity * this.#weight, rate: corrected * this.#weight }
  }
}
