import { MalformedData } from './malformed.js'

/** Reads a serialised block or transaction from front to back. */
export class ByteReader {
  offset = 0

  constructor(readonly bytes: Buffer) {}

  get remaining(): number {
    return this.bytes.length - this.offset
  }

  /** Passes over `length` bytes and says where they began. */
  skip(length: number): number {
    const start = this.offset
    if (length > this.bytes.length - start) throw new MalformedData('The data ends too early.')
    this.offset = start + length
    return start
  }

  slice(length: number): Buffer {
    const start = this.skip(length)
    return this.bytes.subarray(start, start + length)
  }

  uint8(): number {
    return this.bytes.readUInt8(this.skip(1))
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.skip(4))
  }

  int32(): number {
    return this.bytes.readInt32LE(this.skip(4))
  }

  /** A hash as people write it: the reverse of how it is serialised. */
  hash(): Buffer {
    const last = this.skip(32) + 31
    const hash = Buffer.allocUnsafe(32)
    for (let index = 0; index < 32; index++) hash[index] = this.bytes[last - index] ?? 0
    return hash
  }

  /** The compact size of Bitcoin; nodes refuse one that a shorter form could say, and so must we, or two byte strings are one transaction. */
  size(): number {
    const first = this.uint8()
    if (first < 0xfd) return first
    if (first === 0xfd) return atLeast(this.bytes.readUInt16LE(this.skip(2)), 0xfd)
    if (first === 0xfe) return atLeast(this.uint32(), 0x1_0000)
    throw new MalformedData('A size is beyond every message.')
  }

  /** How many elements follow; each has at least `least` bytes, so a count that cannot be true ends here. */
  count(least: number): number {
    const count = this.size()
    if (count * least > this.remaining) throw new MalformedData('The data ends too early.')
    return count
  }
}

function atLeast(size: number, least: number): number {
  if (size < least) throw new MalformedData('A size is not in its shortest form.')
  return size
}
