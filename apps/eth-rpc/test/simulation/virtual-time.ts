import { jest } from '@jest/globals'

interface Timer {
  readonly id: number
  dueAt: number
  readonly everyMs?: number
  readonly run: () => void
}

const realImmediate = setImmediate

/** Time that passes only when a test says so: a second takes as long as what happens in it. */
export class VirtualTime {
  now = 1_000
  private nextId = 1
  private readonly timers = new Map<number, Timer>()
  private readonly real = { setTimeout, clearTimeout, setInterval, clearInterval }
  private readonly clocks = [
    jest.spyOn(performance, 'now').mockImplementation(() => this.now),
    jest.spyOn(Date, 'now').mockImplementation(() => EPOCH + this.now),
  ]

  constructor() {
    const start =
      (everyMs: boolean) =>
      (run: () => void, ms = 0) =>
        this.add(run, ms, everyMs)
    const end = (handle?: { id: number }) => void (handle && this.timers.delete(handle.id))
    Object.assign(globalThis, { setTimeout: start(false), setInterval: start(true), clearTimeout: end, clearInterval: end })
  }

  /** Until then, from one timer to the next. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    await settled()
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.now = Math.max(this.now, timer.dueAt)
      if (timer.everyMs === undefined) this.timers.delete(timer.id)
      else timer.dueAt = this.now + timer.everyMs
      timer.run()
      // A tick alone makes no promise settle.
      if (timer.everyMs === undefined) await settled()
    }
    this.now = end
    await settled()
  }

  end(): void {
    Object.assign(globalThis, this.real)
    for (const clock of this.clocks) clock.mockRestore()
  }

  private add(run: () => void, ms: number, isRepeated: boolean) {
    const id = this.nextId++
    this.timers.set(id, { id, dueAt: this.now + Math.max(ms, 0), everyMs: isRepeated ? Math.max(ms, 1) : undefined, run })
    const handle = { id, unref: () => handle, ref: () => handle }
    return handle
  }

  private next(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.timers.values()) if (timer.dueAt <= end && (!first || timer.dueAt < first.dueAt)) first = timer
    return first
  }
}

const EPOCH = 1_800_000_000_000

function settled(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve))
}
