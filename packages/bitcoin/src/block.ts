import { hasAuxPow, skipAuxPow } from './aux-pow.js'
import { ByteReader } from './byte-reader.js'
import { type ChainRules, type Coin, formatOf } from './chain-rules.js'
import { sha256d, x11 } from './hash.js'
import { MalformedData } from './malformed.js'
import { merkleRootOf } from './merkle.js'
import { readTransaction, type Transaction } from './transaction.js'
import { checkWitnesses } from './witness.js'

interface BlockHeader extends HeaderFields {
  readonly hash: Buffer
}

interface HeaderFields {
  readonly version: number
  readonly previousHash: Buffer
  readonly merkleRoot: Buffer
  readonly time: number
  readonly bits: number
  readonly nonce: number
  /** The 80 bytes. */
  readonly raw: Buffer
}

export interface Block {
  readonly header: BlockHeader
  readonly transactions: readonly Transaction[]
  /** As the node gave it, an MWEB extension block included. */
  readonly raw: Buffer
}

export const HEADER_LENGTH = 80
const LEAST_TRANSACTION = 60
const BLOCK_HASHES = { sha256d, x11 }

/** The 80 bytes that a block's hash is of; what proves merged mining is no part of them. */
export function parseHeader(raw: Buffer): HeaderFields {
  if (raw.length !== HEADER_LENGTH) throw new MalformedData('A block header has 80 bytes.')
  const cursor = new ByteReader(raw)
  return {
    version: cursor.int32(),
    previousHash: cursor.hash(),
    merkleRoot: cursor.hash(),
    time: cursor.uint32(),
    bits: cursor.uint32(),
    nonce: cursor.uint32(),
    raw,
  }
}

/** What the block is known by. */
export function hashOfHeader(raw: Buffer, coin: Coin): Buffer {
  return BLOCK_HASHES[formatOf(coin).blockHash](raw).reverse()
}

export function parseBlock(raw: Buffer, coin: Coin): Block {
  const cursor = new ByteReader(raw)
  const fields = parseHeader(cursor.slice(HEADER_LENGTH))
  const header = { hash: hashOfHeader(fields.raw, coin), ...fields }
  const format = formatOf(coin)
  if (format.auxPow && hasAuxPow(header.version)) skipAuxPow(cursor)
  const count = cursor.count(LEAST_TRANSACTION)
  const transactions: Transaction[] = []
  let endsWithHogEx = false
  for (let index = 0; index < count; index++) {
    const { transaction, isHogEx } = readTransaction(cursor, format, 'block')
    transactions.push(transaction)
    endsWithHogEx = isHogEx
  }
  // LIP 3: the extension block follows the block whose last transaction is a HogEx. Nothing in it is ours to read.
  if (cursor.remaining > 0 && !endsWithHogEx) throw new MalformedData('Bytes follow the block.')
  return { header, transactions, raw }
}

/** What a block proves of itself: its transactions and their witnesses are the header's, and the work was done. scrypt is left to the node. */
export function checkBlock(block: Block, rules: ChainRules): void {
  const { header, transactions } = block
  if (!transactions[0]?.isCoinbase) throw new MalformedData('The block does not begin with a coinbase.')
  if (!merkleRootOf(transactions.map(({ txid }) => txid)).equals(header.merkleRoot))
    throw new MalformedData('The transactions are not those of the header.')
  checkWitnesses(transactions)
  const target = targetOf(header.bits)
  if (target <= 0n || target > rules.powLimit) throw new MalformedData('The target is beyond the limit of the chain.')
  if (!formatOf(rules.coin).workHash && BigInt(`0x${header.hash.toString('hex')}`) > target)
    throw new MalformedData('The block hash does not reach its target.')
}

/** The hashes one expects to try for a block with these bits. */
export function workOf(bits: number): bigint {
  const target = targetOf(bits)
  return target <= 0n || target >> 256n ? 0n : (1n << 256n) / (target + 1n)
}

const DIFFICULTY_1_TARGET = targetOf(0x1d00ffff)
const DIFFICULTY_PLACES = 8

/** How many times harder than the easiest Bitcoin block, cut after 8 places. */
export function difficultyOf(bits: number): string {
  const target = targetOf(bits)
  if (target <= 0n) return '0'
  const scaled = ((DIFFICULTY_1_TARGET * 10n ** BigInt(DIFFICULTY_PLACES)) / target).toString().padStart(DIFFICULTY_PLACES + 1, '0')
  const text = `${scaled.slice(0, -DIFFICULTY_PLACES)}.${scaled.slice(-DIFFICULTY_PLACES)}`
  return text.replace(/\.?0+$/, '')
}

export function subsidyAt(height: number, { subsidy: { first, interval, lessAnNth, floor = 0n } }: ChainRules): bigint {
  const steps = Math.floor(height / interval)
  const subsidy = lessAnNth ? shrunk(first, lessAnNth, steps) : first >> BigInt(steps)
  return subsidy < floor ? floor : subsidy
}

function shrunk(amount: bigint, nth: bigint, times: number): bigint {
  let left = amount
  for (let i = 0; i < times; i++) left -= left / nth
  return left
}

/** The number that `bits` packs into a byte of exponent, a sign and 23 bits of mantissa. */
function targetOf(bits: number): bigint {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x7f_ffff)
  const magnitude = exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
  return bits & 0x80_0000 ? -magnitude : magnitude
}
