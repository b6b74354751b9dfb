const RECENT_MS = 1000

/** A value as it was within the last second: however many ask, it is read once. */
export class RecentValue<T> {
  private reading?: { readonly value: Promise<T>; readonly at: number }

  constructor(
    private readonly read: () => Promise<T>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(): Promise<T> {
    if (this.reading && this.now() - this.reading.at < RECENT_MS) return this.reading.value
    const reading = { value: this.read(), at: this.now() }
    this.reading = reading
    reading.value.catch(() => {
      if (this.reading === reading) this.reading = undefined
    })
    return reading.value
  }
}
