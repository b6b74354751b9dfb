interface Timer {
  readonly id: number
  readonly dueAt: number
  readonly everyMs?: number
  readonly run: () => void
}

const realImmediate = setImmediate

/** Time that passes only when a test says so: a second takes as long as what happens in it. */
export class VirtualTime {
  now = START
  private nextId = 1
  /** A heap: the next one is first; of those due at the same time the one that was started first. */
  private readonly due: Timer[] = []
  private readonly ended = new Set<number>()
  private readonly real = { setTimeout, clearTimeout, setInterval, clearInterval }
  private readonly clocks = [replaced(performance, () => this.now), replaced(Date, () => EPOCH + this.now)]

  constructor() {
    const start =
      (isRepeated: boolean) =>
      (run: () => void, ms = 0) =>
        this.start(run, Math.max(ms, 0), isRepeated)
    const end = (handle?: { id: number }) => handle && this.cancel(handle.id)
    Object.assign(globalThis, { setTimeout: start(false), setInterval: start(true), clearTimeout: end, clearInterval: end })
  }

  /** Until then, from one timer to the next. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    await settled()
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.now = Math.max(this.now, timer.dueAt)
      if (timer.everyMs !== undefined) this.add({ ...timer, dueAt: this.now + timer.everyMs })
      timer.run()
      // A tick alone makes no promise settle.
      if (timer.everyMs === undefined) await settled()
    }
    this.now = end
    await settled()
  }

  /** Once nothing waits any more, time begins again: what follows from a seed does not depend on what ran before. */
  async restart(): Promise<void> {
    const end = this.now + MAX_REST_MS
    while (this.due.length > 0 && this.now < end) await this.pass(1_000)
    if (this.due.length > 0) throw new Error(`${this.due.length} timers have not ended`)
    this.now = START
    this.nextId = 1
    this.ended.clear()
  }

  end(): void {
    Object.assign(globalThis, this.real)
    for (const restore of this.clocks) restore()
  }

  private start(run: () => void, ms: number, isRepeated: boolean) {
    const id = this.nextId++
    this.add({ id, dueAt: this.now + ms, everyMs: isRepeated ? Math.max(ms, 1) : undefined, run })
    const handle = { id, unref: () => handle, ref: () => handle }
    return handle
  }

  private cancel(id: number): void {
    this.ended.add(id)
    // Of timers that had fired before, too.
    if (this.ended.size > 2 * this.due.length + 1_000) {
      const known = new Set(this.due.map((timer) => timer.id))
      for (const each of this.ended) if (!known.has(each)) this.ended.delete(each)
    }
  }

  private next(end: number): Timer | undefined {
    for (let [first] = this.due; first && first.dueAt <= end; [first] = this.due) {
      this.removeFirst()
      if (!this.ended.delete(first.id)) return first
    }
    return undefined
  }

  private add(timer: Timer): void {
    const { due } = this
    let at = due.length
    for (let above = (at - 1) >> 1; at > 0 && isBefore(timer, due[above]); above = (at - 1) >> 1) {
      due[at] = due[above] as Timer
      at = above
    }
    due[at] = timer
  }

  private removeFirst(): void {
    const { due } = this
    const last = due.pop()
    if (!last || due.length === 0) return
    let at = 0
    for (let below = 1; below < due.length; below = 2 * at + 1) {
      if (isBefore(due[below + 1], due[below])) below++
      if (!isBefore(due[below], last)) break
      due[at] = due[below] as Timer
      at = below
    }
    due[at] = last
  }
}

const START = 1_000
const MAX_REST_MS = 600_000
const EPOCH = 1_800_000_000_000

function isBefore(one: Timer | undefined, other: Timer | undefined): boolean {
  if (!one || !other) return false
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.id < other.id)
}

function replaced(clock: { now(): number }, now: () => number): () => void {
  const before = clock.now
  clock.now = now
  return () => {
    clock.now = before
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve))
}
