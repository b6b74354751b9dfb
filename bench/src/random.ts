/** Pseudo-random numbers, the same for the same seed on every machine (Chris Doty-Humphrey's sfc32). */
export class Random {
  private a: number
  private b: number
  private c = 0x6a09e667
  private counter = 1

  constructor(seed: number) {
    this.a = seed | 0
    this.b = Math.floor(seed / 2 ** 32) | 0
    for (let warm = 0; warm < 12; warm++) this.word()
  }

  /** 32 bits. */
  word(): number {
    const word = (this.a + this.b + this.counter++) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + word) | 0
    return word >>> 0
  }

  /** From 0 to 1, excluding 1. */
  unit(): number {
    return this.word() / 2 ** 32
  }

  /** A whole number from `from` to `to`, both inclusive. */
  between(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1))
  }

  fill(target: Buffer, from: number, length: number): void {
    const words = length & ~3
    for (let at = 0; at < words; at += 4) target.writeUInt32LE(this.word(), from + at)
    for (let at = words; at < length; at++) target[from + at] = this.word()
  }
}

/** One of the choices, with a probability by weight; `unit` is from 0 to 1. */
export function weighted<T extends { readonly weight: number }>(choices: readonly T[], unit: number): T {
  let rest = unit * choices.reduce((sum, { weight }) => sum + weight, 0)
  for (const choice of choices) {
    rest -= choice.weight
    if (rest < 0) return choice
  }
  throw new Error('there are no choices')
}
