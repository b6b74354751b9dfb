export type Listener<T> = (value: T) => void
export type Unsubscribe = () => void

/** Calls each listener. */
export class Listeners<T> {
  private readonly all = new Set<Listener<T>>()

  get size(): number {
    return this.all.size
  }

  add(listener: Listener<T>): Unsubscribe {
    // A new entry each time: the same function may listen twice.
    const entry: Listener<T> = (value) => listener(value)
    this.all.add(entry)
    return () => void this.all.delete(entry)
  }

  notify(value: T): void {
    for (const listener of this.all) {
      try {
        listener(value)
      } catch (error) {
        // Neither the caller nor the other listeners are at fault: it crashes the process like any uncaught error.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
