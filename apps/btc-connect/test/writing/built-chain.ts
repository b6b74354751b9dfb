import { createHash } from 'node:crypto'
import { type Block, parseBlock } from '@trestle/bitcoin/block'
import type { Coin } from '@trestle/bitcoin/chain-rules'
import { payToPublicKeyHash, payToScriptHash, payToWitness } from '@trestle/bitcoin/script'
import { parseTransaction, type Transaction } from '@trestle/bitcoin/transaction'

export interface BuiltOutpoint {
  readonly txid: Buffer
  readonly vout: number
}

export interface BuiltPayment {
  readonly value: bigint
  readonly script: Buffer
}

const bytesOf = (name: string) => createHash('sha256').update(name).digest()
const shortBytesOf = (name: string) => bytesOf(name).subarray(0, 20)
const publicKeyOf = (name: string) => Buffer.concat([Buffer.of(2), bytesOf(name)])

/** Scripts of every kind, by the name of who has them. */
export const script = {
  keyHash: (name: string) => payToPublicKeyHash(hash160(publicKeyOf(name))),
  /** Belongs to the same owner as `keyHash` of the same name. */
  key: (name: string) => Buffer.concat([Buffer.of(33), publicKeyOf(name), Buffer.of(0xac)]),
  scriptHash: (name: string) => payToScriptHash(shortBytesOf(name)),
  witness: (name: string) => payToWitness({ version: 0, program: shortBytesOf(name) }),
  taproot: (name: string) => payToWitness({ version: 1, program: bytesOf(name) }),
  data: (name: string) => Buffer.concat([Buffer.of(0x6a, 20), shortBytesOf(name)]),
  tooLong: () => Buffer.alloc(10_001, 0x51),
  long: () => Buffer.alloc(10_000, 0x51),
  empty: () => Buffer.alloc(0),
}

/** A payment that nobody signed. */
export function payment(spent: readonly BuiltOutpoint[], paid: readonly BuiltPayment[]): Transaction {
  const inputs = spent.map(({ txid, vout }) =>
    Buffer.concat([Buffer.from(txid).reverse(), u32(vout), counted(Buffer.of(1, 7)), u32(0xffff_fffd)]),
  )
  return assembled(inputs, paid)
}

/** The same tag, height left out, makes the same coinbase again: BIP 30. */
export function coinbase(tag: string, paid: readonly BuiltPayment[]): Transaction {
  const input = Buffer.concat([Buffer.alloc(32), u32(0xffff_ffff), counted(shortBytesOf(tag)), u32(0xffff_ffff)])
  return assembled([input], paid)
}

/** The block of these transactions after another; its nonce makes it a block of its own. */
export function blockAfter(previous: Block | undefined, transactions: readonly Transaction[], nonce = 0, coin: Coin = 'btc'): Block {
  const header = Buffer.concat([
    u32(0x2000_0000),
    Buffer.from(previous?.header.hash ?? Buffer.alloc(32)).reverse(),
    sha256d(Buffer.concat(transactions.map(({ txid }) => txid))),
    u32((previous?.header.time ?? 1_700_000_000) + 60),
    u32(0x207f_ffff),
    u32(nonce),
  ])
  return parseBlock(Buffer.concat([header, size(transactions.length), ...transactions.map(({ raw }) => raw)]), coin)
}

function assembled(inputs: readonly Buffer[], paid: readonly BuiltPayment[]): Transaction {
  const outputs = paid.map(({ value, script }) => Buffer.concat([u64(value), counted(script)]))
  const coin = paid.some(({ value }) => value >= 2n ** 53n) ? 'doge' : 'btc'
  return parseTransaction(Buffer.concat([u32(2), size(inputs.length), ...inputs, size(outputs.length), ...outputs, u32(0)]), coin)
}

function hash160(bytes: Buffer): Buffer {
  return createHash('ripemd160').update(createHash('sha256').update(bytes).digest()).digest()
}

function sha256d(bytes: Buffer): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
}

function counted(bytes: Buffer): Buffer {
  return Buffer.concat([size(bytes.length), bytes])
}

function size(count: number): Buffer {
  return count < 0xfd ? Buffer.of(count) : Buffer.of(0xfd, count & 0xff, count >> 8)
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
