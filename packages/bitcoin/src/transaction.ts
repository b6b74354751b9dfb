import type { BitcoinFormat } from '@trestle/contracts/chains/chain'
import { ByteReader } from './byte-reader.js'
import { type Coin, formatOf } from './chain-rules.js'
import { sha256d } from './hash.js'
import { MalformedData } from './malformed.js'
import { tokenPrefixLength } from './token-prefix.js'

/** Hashes are in display order, as everywhere outside a serialised transaction. */
export interface TransactionInput {
  readonly txid: Buffer
  readonly vout: number
  readonly script: Buffer
  readonly sequence: number
}

export interface TransactionOutput {
  readonly value: bigint
  /** Without its token prefix. */
  readonly script: Buffer
  readonly tokenPrefix?: Buffer
}

export interface Transaction {
  readonly txid: Buffer
  readonly version: number
  /** DIP 2: what a special transaction is for, and what it says of that. */
  readonly type?: number
  readonly extraPayload?: Buffer
  readonly lockTime: number
  readonly inputs: readonly TransactionInput[]
  readonly outputs: readonly TransactionOutput[]
  /** With witness, without what belongs to MWEB: `raw.length` is the size people know. */
  readonly raw: Buffer
  readonly isCoinbase: boolean
}

/** The transaction that `raw` is from its first to its last byte. */
export function parseTransaction(raw: Buffer, coin: Coin): Transaction {
  const cursor = new ByteReader(raw)
  const { transaction } = readTransaction(cursor, formatOf(coin), 'alone')
  if (cursor.remaining > 0) throw new MalformedData('Bytes follow the transaction.')
  return transaction
}

// BIP 144 and, for MWEB, LIP 3: after an empty input list, what else the transaction carries.
const WITNESS = 1
const MWEB = 8

const LEAST_INPUT = 41
const LEAST_OUTPUT = 9
const NO_TXID = Buffer.alloc(32)
const NO_VOUT = 0xffff_ffff

/** In a block nothing but the HogEx has an MWEB part. */
export function readTransaction(
  cursor: ByteReader,
  format: BitcoinFormat,
  where: 'alone' | 'block',
): { transaction: Transaction; isHogEx: boolean } {
  const start = cursor.offset
  const { version, type } = versionAndType(cursor.int32(), format)
  const flags = readFlags(cursor, format)
  const body = cursor.offset - start
  const inputs = readInputs(cursor)
  const outputs = readOutputs(cursor, format)
  const bodyEnd = cursor.offset - start
  if (flags & WITNESS) skipWitnesses(cursor, inputs.length)
  const witnessEnd = cursor.offset - start
  const isHogEx = (flags & MWEB) !== 0 && skipMweb(cursor, where)
  const lockTime = cursor.uint32()
  const special = type && { type, extraPayload: cursor.slice(cursor.size()) }
  const whole = cursor.bytes.subarray(start, cursor.offset)
  const raw = flags & MWEB ? without(MWEB, whole, { flags, body, bodyEnd, witnessEnd }) : whole
  const stripped = flags & WITNESS ? without(WITNESS | MWEB, whole, { flags, body, bodyEnd, witnessEnd }) : raw
  const txid = sha256d(stripped).reverse()
  return { transaction: { txid, version, ...special, lockTime, inputs, outputs, raw, isCoinbase: isCoinbase(inputs) }, isHogEx }
}

/** Offsets in a serialised transaction. */
interface Layout {
  readonly flags: number
  readonly body: number
  readonly bodyEnd: number
  readonly witnessEnd: number
}

/** The same transaction, serialised as if it had nothing of these flags. */
function without(removed: number, whole: Buffer, { flags, body, bodyEnd, witnessEnd }: Layout): Buffer {
  const left = flags & ~removed
  const mark = left ? [Buffer.of(0, left)] : []
  return Buffer.concat([whole.subarray(0, 4), ...mark, whole.subarray(body, left & WITNESS ? witnessEnd : bodyEnd), whole.subarray(-4)])
}

const MIN_SPECIAL_VERSION = 3

/** DIP 2: the upper half of the version is the type. */
function versionAndType(version: number, { extraPayload }: BitcoinFormat): Pick<Transaction, 'version' | 'type'> {
  if (!extraPayload) return { version }
  const lower = (version << 16) >> 16
  return { version: lower, type: lower >= MIN_SPECIAL_VERSION ? version >>> 16 : 0 }
}

function readFlags(cursor: ByteReader, { witness, mweb }: BitcoinFormat): number {
  if (!witness || cursor.remaining < 2 || cursor.bytes[cursor.offset] !== 0) return 0
  cursor.skip(1)
  const flags = cursor.uint8()
  const known = mweb ? WITNESS | MWEB : WITNESS
  if (flags === 0 || flags & ~known) throw new MalformedData('The transaction has flags nobody knows.')
  return flags
}

function readInputs(cursor: ByteReader): TransactionInput[] {
  const count = cursor.count(LEAST_INPUT)
  if (count === 0) throw new MalformedData('The transaction has no inputs.')
  const inputs: TransactionInput[] = []
  for (let index = 0; index < count; index++) {
    inputs.push({ txid: cursor.hash(), vout: cursor.uint32(), script: cursor.slice(cursor.size()), sequence: cursor.uint32() })
  }
  return inputs
}

function readOutputs(cursor: ByteReader, { cash, largeValues }: BitcoinFormat): TransactionOutput[] {
  const count = cursor.count(LEAST_OUTPUT)
  const outputs: TransactionOutput[] = []
  const max = largeValues ? Number(MAX_LARGE_VALUE) : MAX_VALUE
  let total = 0
  for (let index = 0; index < count; index++) {
    const value = readValue(cursor, largeValues)
    total += Number(value)
    if (total > max) throw new MalformedData('The outputs have more than there can be.')
    const field = cursor.slice(cursor.size())
    const prefix = cash ? tokenPrefixLength(field) : 0
    outputs.push(prefix > 0 ? { value, script: field.subarray(prefix), tokenPrefix: field.subarray(0, prefix) } : { value, script: field })
  }
  return outputs
}

const MAX_VALUE = 2 ** 53 - 1
/** The greatest MAX_MONEY of the family, for an output and for all outputs of a transaction. */
const MAX_LARGE_VALUE = 10n ** 18n

/** Most chains cannot have 2^53 of their smallest unit, so a value is exact as a number on its way to bigint. */
function readValue(cursor: ByteReader, largeValues?: true): bigint {
  const low = cursor.uint32()
  const high = cursor.uint32()
  if (high > 0x1f_ffff) return readLargeValue((BigInt(high) << 32n) + BigInt(low), largeValues)
  return BigInt(high * 0x1_0000_0000 + low)
}

function readLargeValue(value: bigint, largeValues?: true): bigint {
  if (!largeValues || value > MAX_LARGE_VALUE) throw new MalformedData('An output has more than there can be.')
  return value
}

function skipWitnesses(cursor: ByteReader, inputs: number): void {
  let items = 0
  for (let input = 0; input < inputs; input++) {
    const count = cursor.count(1)
    items += count
    for (let item = 0; item < count; item++) cursor.skip(cursor.size())
  }
  // BIP 144: without any witness the old form is the only one.
  if (items === 0) throw new MalformedData('The transaction announces witnesses and has none.')
}

/** The MWEB part is empty in a block, where it marks the HogEx; alone, it reaches to the lock time. */
function skipMweb(cursor: ByteReader, where: 'alone' | 'block'): boolean {
  const present = cursor.uint8()
  if (present === 0) return true
  if (present !== 1 || where === 'block' || cursor.remaining < 4) throw new MalformedData('The MWEB part of the transaction is not valid.')
  cursor.skip(cursor.remaining - 4)
  return false
}

function isCoinbase(inputs: readonly TransactionInput[]): boolean {
  const [first] = inputs
  return inputs.length === 1 && first !== undefined && first.vout === NO_VOUT && first.txid.equals(NO_TXID)
}
