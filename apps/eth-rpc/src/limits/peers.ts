const ALIVE_MS = 5_000

/** The processes that serve the same projects, known by what they say. */
export class Peers {
  readonly #heardAt = new Map<string, number>()

  heard(process: string, now: number): void {
    this.#heardAt.set(process, now)
  }

  /** How many there are, with the one that counts. */
  count(): number {
    return this.#heardAt.size + 1
  }

  forgetSilent(now: number): void {
    for (const [process, at] of this.#heardAt) if (now - at > ALIVE_MS) this.#heardAt.delete(process)
  }

  /** Nobody can be heard now: that says nothing about who is there. */
  keepAll(now: number): void {
    for (const process of this.#heardAt.keys()) this.#heardAt.set(process, now)
  }
}
