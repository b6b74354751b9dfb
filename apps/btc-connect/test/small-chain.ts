import { createHash } from 'node:crypto'
import type { Transaction } from '@trestle/bitcoin/transaction'

// Bitcoin's regtest genesis block, as every node has it.
export const GENESIS = Buffer.from(
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a' +
    'dae5494dffff7f20020000000101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d010445546865' +
    '2054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73' +
    'ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c3' +
    '84df7ba0b8d578a4c702b6bf11d5fac00000000',
  'hex',
)

/** A regtest chain of so many blocks after the genesis block, each with a coinbase only. `branch` makes another one of it. */
export function smallChain(length: number, branch = 0): Buffer[] {
  const blocks: Buffer[] = [GENESIS]
  while (blocks.length <= length)
    blocks.push(minedAfter(blocks.at(-1) as Buffer, [{ raw: coinbaseOf(blocks.length, branch) }], blocks.length))
  return blocks
}

/** In display order. */
export function smallChainHash(block: Buffer): Buffer {
  return sha256d(block.subarray(0, 80)).reverse()
}

/** A block of these transactions after another. Its hash reaches the easiest target, which every second does. */
export function minedAfter(previous: Buffer, transactions: readonly Pick<Transaction, 'raw'>[], height: number): Buffer {
  const header = Buffer.alloc(80)
  header.writeInt32LE(0x2000_0000, 0)
  sha256d(previous.subarray(0, 80)).copy(header, 4)
  merkleRoot(transactions.map(({ raw }) => sha256d(raw))).copy(header, 36)
  header.writeUInt32LE(1_300_000_000 + height, 68)
  header.writeUInt32LE(0x207fffff, 72)
  const block = Buffer.concat([header, Buffer.of(transactions.length), ...transactions.map(({ raw }) => raw)])
  for (let nonce = 0; (smallChainHash(block)[0] as number) >= 0x7f; nonce++) block.writeUInt32LE(nonce, 76)
  return block
}

function merkleRoot(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 1) return hashes[0] as Buffer
  const pairs = hashes.filter((_, i) => i % 2 === 0).map((left, i) => sha256d(Buffer.concat([left, hashes[2 * i + 1] ?? left])))
  return merkleRoot(pairs)
}

function coinbaseOf(height: number, branch: number): Buffer {
  const script = Buffer.alloc(8)
  script[0] = 7
  script.writeUInt32LE(height, 1)
  script[5] = branch
  const output = Buffer.concat([amount(5_000_000_000n), Buffer.of(1, 0x51)])
  const input = Buffer.concat([Buffer.alloc(32), Buffer.alloc(4, 0xff), Buffer.of(script.length), script, Buffer.alloc(4, 0xff)])
  return Buffer.concat([Buffer.of(1, 0, 0, 0), Buffer.of(1), input, Buffer.of(1), output, Buffer.alloc(4)])
}

function amount(satoshis: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(satoshis)
  return bytes
}

function sha256d(bytes: Buffer): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
}
