import { hash } from 'node:crypto'

/** Numbers that look random, and are the same for the same seed. */
export class SeededRandom {
  private counter = 0
  private words: Buffer = Buffer.alloc(0)
  private at = 0

  constructor(private readonly seed: string | number) {}

  /** From 0 to 1, without 1. */
  unit(): number {
    if (this.at === this.words.length) {
      this.words = hash('sha256', `${this.seed}:${this.counter++}`, 'buffer')
      this.at = 0
    }
    const word = this.words.readUInt32LE(this.at)
    this.at += 4
    return word / 2 ** 32
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1))
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to pick from')
    return list[this.between(0, list.length - 1)] as T
  }

  /** Up to so many different ones of the list. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list]
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(this.between(0, rest.length - 1), 1)[0] as T)
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.between(0, 255)))
  }
}
