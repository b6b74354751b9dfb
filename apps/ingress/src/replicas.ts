const REST_MS = 5000

/** The replicas of one deployment, in turn. */
export class Replicas {
  private turn = 0
  private readonly restingUntil = new Map<URL, number>()

  constructor(private readonly origins: readonly URL[]) {}

  get count(): number {
    return this.origins.length
  }

  /** All of them, the next in turn first and the resting ones last. */
  inOrder(now: number): URL[] {
    const first = this.turn++ % this.origins.length
    const rotated = [...this.origins.slice(first), ...this.origins.slice(0, first)]
    const isResting = (origin: URL) => Number((this.restingUntil.get(origin) ?? 0) > now)
    return rotated.sort((a, b) => isResting(a) - isResting(b))
  }

  /** Prefers others for a while: this one refused a connection, or closes its connections because it is stopping. */
  rest(origin: URL, now: number): void {
    this.restingUntil.set(origin, now + REST_MS)
  }
}
