import { type Listener, Listeners, type Unsubscribe } from './listeners.js'

const GRACE_MS = 10_000

/** A feed that runs while it has listeners, and a little longer for those that come back soon. */
export class OnDemandTopic<T> {
  private readonly listeners = new Listeners<T>()
  private running = false
  private ending?: NodeJS.Timeout

  constructor(
    private readonly turn: (on: boolean) => void,
    private readonly graceMs = GRACE_MS,
  ) {}

  get isRunning(): boolean {
    return this.running
  }

  listen(listener: Listener<T>): Unsubscribe {
    clearTimeout(this.ending)
    const remove = this.listeners.add(listener)
    if (!this.running) this.switch(true)
    return () => {
      remove()
      if (this.listeners.size > 0) return
      clearTimeout(this.ending)
      this.ending = setTimeout(() => this.switch(false), this.graceMs).unref()
    }
  }

  notify(value: T): void {
    this.listeners.notify(value)
  }

  stop(): void {
    clearTimeout(this.ending)
    if (this.running) this.switch(false)
  }

  private switch(on: boolean): void {
    this.running = on
    this.turn(on)
  }
}
