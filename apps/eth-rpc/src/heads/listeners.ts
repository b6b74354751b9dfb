export type Listener<T> = (value: T) => void
export type Unsubscribe = () => void

/** Whoever wants to be told. */
export class Listeners<T> {
  private readonly all = new Set<Listener<T>>()

  get size(): number {
    return this.all.size
  }

  add(listener: Listener<T>): Unsubscribe {
    // One of its own each time: the same function may listen twice.
    const entry: Listener<T> = (value) => listener(value)
    this.all.add(entry)
    return () => void this.all.delete(entry)
  }

  notify(value: T): void {
    for (const listener of this.all) {
      try {
        listener(value)
      } catch (error) {
        // It is no fault of who tells, nor of the others who listen: the process crashes with it, as with any other.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
