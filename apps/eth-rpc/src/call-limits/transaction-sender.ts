import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { rlpBytes, rlpList } from '../integrity/rlp.js'

const RAW = /^0x(?:[0-9a-f]{2})+$/i
/** EIP-2718: those that end in yParity, r and s. */
const TYPES = new Set([1, 2, 3, 4])
const BLOB_TYPE = 3
const LIST = 0xc0
const SIGNATURE_ITEMS = 3
const LEGACY_ITEMS = 9

/** The address that signed a raw transaction, in lower case; undefined where that cannot be said. Takes about a millisecond. */
export function transactionSender(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !RAW.test(raw)) return undefined
  try {
    return senderOf(Buffer.from(raw.slice(2), 'hex'))
  } catch {
    return undefined
  }
}

function senderOf(bytes: Buffer): string | undefined {
  const [type = 0] = bytes
  if (type >= LIST) return legacySender(itemsOf(bytes))
  if (!TYPES.has(type)) return undefined
  const items = itemsOf(bytes.subarray(1))
  const [first] = items
  // EIP-4844: on the network it is in a list, with its blobs.
  const own = type === BLOB_TYPE && first && (first[0] ?? 0) >= LIST ? itemsOf(first) : items
  const digest = keccak_256(Buffer.concat([bytes.subarray(0, 1), rlpList(own.slice(0, -SIGNATURE_ITEMS))]))
  const [parity, r, s] = own.slice(-SIGNATURE_ITEMS).map(numberIn)
  return recovered(digest, { recovery: Number(parity), r, s })
}

function legacySender(items: readonly Buffer[]): string | undefined {
  if (items.length !== LEGACY_ITEMS) return undefined
  const fields = items.slice(0, -SIGNATURE_ITEMS)
  const [v = 0n, r, s] = items.slice(-SIGNATURE_ITEMS).map(numberIn)
  if (v < 35n) return recovered(keccak_256(rlpList(fields)), { recovery: Number(v) - 27, r, s })
  // EIP-155.
  const chainId = rlpBytes(bytesOf((v - 35n) / 2n))
  const none = rlpBytes(Buffer.alloc(0))
  return recovered(keccak_256(rlpList([...fields, chainId, none, none])), { recovery: Number((v - 35n) % 2n), r, s })
}

function recovered(digest: Uint8Array, { recovery, r = 0n, s = 0n }: { recovery: number; r?: bigint; s?: bigint }): string | undefined {
  if (recovery !== 0 && recovery !== 1) return undefined
  const key = new secp256k1.Signature(r, s).addRecoveryBit(recovery).recoverPublicKey(digest).toBytes(false)
  return `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(-20)).toString('hex')}`
}

/** The items of an RLP list, each as it is encoded. Throws where it is none, or has something behind it. */
function itemsOf(bytes: Buffer): Buffer[] {
  const { start, end } = extentOf(bytes, 0)
  if ((bytes[0] ?? 0) < LIST || end !== bytes.length) throw new Error('no list')
  const items: Buffer[] = []
  for (let at = start; at < end; ) {
    const item = extentOf(bytes, at)
    if (item.end > end) throw new Error('an item that is cut')
    items.push(bytes.subarray(at, item.end))
    at = item.end
  }
  return items
}

/** Where the payload of an item begins and ends. */
function extentOf(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes.readUInt8(at)
  if (first < 0x80) return { start: at, end: at + 1 }
  const offset = first < LIST ? first - 0x80 : first - LIST
  if (offset < 56) return { start: at + 1, end: at + 1 + offset }
  const digits = offset - 55
  if (digits > 4) throw new Error('longer than any transaction')
  const start = at + 1 + digits
  return { start, end: start + bytes.readUIntBE(at + 1, digits) }
}

function numberIn(item: Buffer): bigint {
  const { start, end } = extentOf(item, 0)
  return start === end ? 0n : BigInt(`0x${item.subarray(start, end).toString('hex')}`)
}

function bytesOf(value: bigint): Buffer {
  const digits = value === 0n ? '' : value.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}
