import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bytesOf } from './deposit-roots.js'

const SIGNATURE = 'deposit(bytes,bytes,bytes,bytes32)'
const SELECTOR = keccak_256(utf8ToBytes(SIGNATURE)).slice(0, 4)
const WORD = 32

/** The four arguments of the deposit contract's one function. */
export interface DepositCall {
  readonly pubkey: Uint8Array
  readonly withdrawalCredentials: Uint8Array
  readonly signature: Uint8Array
  readonly root: Uint8Array
}

/** What these call data say to the contract; undefined where they are no call of `deposit`, or hold anything besides. */
export function decodeDepositCall(data: string): DepositCall | undefined {
  if (!/^0x([0-9a-f]{2})+$/i.test(data)) return undefined
  const call = bytesOf(data)
  if (!areEqual(call.subarray(0, SELECTOR.length), SELECTOR)) return undefined
  const values = call.subarray(SELECTOR.length)
  const [pubkey, withdrawalCredentials, signature] = [0, 1, 2].map((index) => bytesAt(values, numberAt(values, index * WORD)))
  const root = values.subarray(3 * WORD, 4 * WORD)
  if (pubkey?.length !== 48 || withdrawalCredentials?.length !== WORD || signature?.length !== 96) return undefined
  const decoded = { pubkey, withdrawalCredentials, signature, root }
  // Encoded again it must be identical: nothing may hide in offsets, lengths or padding.
  return areEqual(encode(decoded), call) ? decoded : undefined
}

export function hex(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

function encode({ pubkey, withdrawalCredentials, signature, root }: DepositCall): Uint8Array {
  const tails = [pubkey, withdrawalCredentials, signature].map((bytes) => concatBytes(word(bytes.length), padded(bytes)))
  const offsets = tails.map((_, index) => word(4 * WORD + tails.slice(0, index).reduce((sum, { length }) => sum + length, 0)))
  return concatBytes(SELECTOR, ...offsets, root, ...tails)
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD)
  whole.set(bytes)
  return whole
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(WORD)
  new DataView(bytes.buffer).setUint32(WORD - 4, value)
  return bytes
}

function bytesAt(values: Uint8Array, offset: number): Uint8Array {
  const length = numberAt(values, offset)
  return values.subarray(offset + WORD, offset + WORD + length)
}

/** A number that could be an offset here; any other reads as one beyond the end. */
function numberAt(values: Uint8Array, offset: number): number {
  const bytes = values.subarray(offset, offset + WORD)
  if (bytes.length < WORD || bytes.subarray(0, WORD - 4).some((byte) => byte !== 0)) return values.length
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(WORD - 4)
}
