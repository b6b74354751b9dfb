import { sha256d } from '@trestle/bitcoin/hash'

// More than any generated block.
const CAPACITY = 2 ** 25

/** The wire format of blocks and transactions, written into one buffer that is reused for the next block. */
export class BlockWriter {
  private readonly buffer = Buffer.allocUnsafe(CAPACITY)
  at = 0

  u8(value: number): void {
    this.at = this.buffer.writeUInt8(value, this.at)
  }

  u16(value: number): void {
    this.at = this.buffer.writeUInt16LE(value, this.at)
  }

  u32(value: number): void {
    this.at = this.buffer.writeUInt32LE(value, this.at)
  }

  u64(value: number): void {
    this.at = this.buffer.writeBigUInt64LE(BigInt(value), this.at)
  }

  count(value: number): void {
    if (value < 0xfd) this.u8(value)
    else {
      this.u8(0xfd)
      this.u16(value)
    }
  }

  bytes(value: Uint8Array): void {
    this.buffer.set(value, this.at)
    this.at += value.length
  }

  /** Reserves bytes that the caller fills. */
  room(length: number): Buffer {
    this.at += length
    return this.since(this.at - length)
  }

  /** The bytes from `start` on; valid until the next block begins. */
  since(start: number, end = this.at): Buffer {
    return this.buffer.subarray(start, end)
  }
}

/** The root over transaction ids in wire order; an odd one out is paired with itself. */
export function merkleRoot(txids: readonly Buffer[]): Buffer {
  let level = txids
  while (level.length > 1) {
    const above: Buffer[] = []
    for (let i = 0; i < level.length; i += 2)
      above.push(sha256d(Buffer.concat([at(level, i), at(level, Math.min(i + 1, level.length - 1))])))
    level = above
  }
  return at(level, 0)
}

function at(hashes: readonly Buffer[], index: number): Buffer {
  const hash = hashes[index]
  if (!hash) throw new Error('a block has at least one transaction')
  return hash
}
