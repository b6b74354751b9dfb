const ALIVE_MS = 5_000
/** More than any deployment has: whoever makes up names does not fill the memory. */
const MAX_PEERS = 1_000

/** The other processes of this deployment, by their reports. */
export class Peers {
  readonly #heardAt = new Map<string, number>()

  hear(process: string, now: number): void {
    if (this.#heardAt.size < MAX_PEERS || this.#heardAt.has(process)) this.#heardAt.set(process, now)
  }

  /** How many there are, with this one. */
  count(): number {
    return this.#heardAt.size + 1
  }

  forgetSilent(now: number): void {
    for (const [process, at] of this.#heardAt) if (now - at > ALIVE_MS) this.#heardAt.delete(process)
  }

  /** Without a connection, silence means nothing. */
  keepAll(now: number): void {
    for (const process of this.#heardAt.keys()) this.#heardAt.set(process, now)
  }
}
