import { Clock } from '../src/clock.js'

/** A clock that stands still until it is advanced. */
export class ManualClock extends Clock {
  at = new Date('2026-11-21T12:00:00Z')

  override now(): Date {
    return this.at
  }

  advance(ms: number): void {
    this.at = new Date(this.at.getTime() + ms)
  }
}
