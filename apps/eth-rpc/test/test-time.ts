import { jest } from '@jest/globals'

/** The monotonic clock of this process, which can be stopped and set forward, and never goes back; timers go as ever. */
export class TestTime {
  private readonly real = performance.now.bind(performance)
  private ahead = 0
  private standsAt?: number
  private readonly clock = jest.spyOn(performance, 'now').mockImplementation(() => this.standsAt ?? this.real() + this.ahead)

  /** At a whole millisecond: sums of others are a little more or less than they should be. */
  stop(): void {
    this.standsAt = Math.ceil(performance.now())
  }

  pass(ms: number): void {
    if (this.standsAt === undefined) this.ahead += ms
    else this.standsAt += ms
  }

  /** From where it stands. */
  goOn(): void {
    this.ahead = performance.now() - this.real()
    this.standsAt = undefined
  }

  /** From now on the clock is the real one. */
  end(): void {
    this.clock.mockRestore()
  }
}
