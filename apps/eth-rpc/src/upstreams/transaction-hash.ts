import { keccak_256 } from '@noble/hashes/sha3.js'

const RAW = /^0x(?:[0-9a-f]{2})+$/i
const BLOB_TYPE = 0x03
/** ZKsync's own (EIP-712): its hash is not that of its bytes. */
const ZKSYNC_TYPE = 0x71
/** RLP: what begins with this or more is a list, with more than the second a long one. */
const LIST = 0xc0
const SHORT_LIST_MAX = 0xf7

/** The hash by which a chain knows this transaction; undefined where the text is none, or does not tell. */
export function transactionHash(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !RAW.test(raw)) return undefined
  const bytes = Buffer.from(raw.slice(2), 'hex')
  if (bytes[0] === ZKSYNC_TYPE) return undefined
  return `0x${Buffer.from(keccak_256(withoutBlobs(bytes))).toString('hex')}`
}

/** EIP-4844: on the network a blob transaction is wrapped in a list with its blobs, of which the hash knows nothing. */
function withoutBlobs(bytes: Buffer): Buffer {
  const [type, outer = 0] = bytes
  if (type !== BLOB_TYPE || outer < LIST) return bytes
  const start = 1 + headerLength(outer)
  const inner = bytes[start] ?? 0
  if (inner < LIST) return bytes
  return Buffer.concat([bytes.subarray(0, 1), bytes.subarray(start, start + listLength(bytes, start))])
}

function headerLength(first: number): number {
  return first > SHORT_LIST_MAX ? 1 + first - SHORT_LIST_MAX : 1
}

function listLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? LIST
  const header = headerLength(first)
  if (header === 1) return 1 + first - LIST
  return header + bytes.subarray(at + 1, at + header).reduce((length, byte) => length * 256 + byte, 0)
}
