/** Wakes the one who waits. A notification that nobody waits for is kept for the next `wait`. */
export class Signal {
  private isNotified = false
  private waiting?: () => void

  notify(): void {
    this.isNotified = true
    this.waiting?.()
  }

  /** Resolves on a notification, after the time, or when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isNotified && !signal.aborted) await this.untilNotified(ms, signal)
    this.isNotified = false
  }

  private untilNotified(ms: number, signal: AbortSignal): Promise<void> {
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
