import { Clock } from '../src/clock.js'

/** A clock that stands until somebody moves it. */
export class ManualClock extends Clock {
  at = new Date('2026-11-21T12:00:00Z')

  override now(): Date {
    return this.at
  }

  advance(ms: number): void {
    this.at = new Date(this.at.getTime() + ms)
  }
}
