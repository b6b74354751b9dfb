/** Wakes whoever waits. A ring while nobody does is kept for the next who will. */
export class Signal {
  private rung = false
  private waiting?: () => void

  notify(): void {
    this.rung = true
    this.waiting?.()
  }

  /** Settles when it rings, when the time is over, or when the signal says so. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.rung && !signal.aborted) await this.ringing(ms, signal)
    this.rung = false
  }

  private ringing(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const timer = setTimeout(wake, ms)
    this.waiting = wake
    signal.addEventListener('abort', wake)
    return promise.finally(() => {
      clearTimeout(timer)
      this.waiting = undefined
      signal.removeEventListener('abort', wake)
    })
  }
}
