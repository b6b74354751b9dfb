import { keccak_256 } from '@noble/hashes/sha3.js'
import { rlpBytes, rlpList } from './rlp.js'

// The Merkle Patricia trie of a list (Yellow Paper, appendix D): its keys are the RLP of the positions.

interface Entry {
  /** Half-bytes. */
  readonly path: readonly number[]
  readonly value: Buffer
}

/** The root hash that a header has for a list of transactions, receipts or withdrawals. */
export function orderedRoot(values: readonly Buffer[]): string {
  const entries = values.map((value, index) => ({ path: nibblesOf(rlpBytes(indexBytes(index))), value }))
  const root = entries.length === 0 ? EMPTY : nodeOf(entries, 0)
  return `0x${Buffer.from(keccak_256(root)).toString('hex')}`
}

const EMPTY = rlpBytes(Buffer.alloc(0))
const HASH_BYTES = 32

/** The RLP of the node for entries that are alike up to `depth`. */
function nodeOf(entries: readonly Entry[], depth: number): Buffer {
  const [first] = entries
  if (!first) return EMPTY
  if (entries.length === 1) return rlpList([rlpBytes(compact(first.path.slice(depth), true)), rlpBytes(first.value)])
  const shared = sharedLength(entries, depth)
  if (shared > depth) return rlpList([rlpBytes(compact(first.path.slice(depth, shared), false)), reference(nodeOf(entries, shared))])
  const branches = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ path }) => path[depth] === nibble)
    return below.length === 0 ? EMPTY : reference(nodeOf(below, depth + 1))
  })
  const own = entries.find(({ path }) => path.length === depth)
  return rlpList([...branches, own ? rlpBytes(own.value) : EMPTY])
}

/** A node of less than 32 bytes stands where it is referred to. */
function reference(node: Buffer): Buffer {
  return node.length < HASH_BYTES ? node : rlpBytes(Buffer.from(keccak_256(node)))
}

function sharedLength(entries: readonly Entry[], depth: number): number {
  const [first] = entries
  let length = depth
  while (first && length < first.path.length && entries.every(({ path }) => path[length] === first.path[length])) length++
  return length
}

function compact(nibbles: readonly number[], isLeaf: boolean): Buffer {
  const isOdd = nibbles.length % 2 === 1
  const flag = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  const padded = isOdd ? [flag, ...nibbles] : [flag, 0, ...nibbles]
  return Buffer.from(padded.map((nibble) => nibble.toString(16)).join(''), 'hex')
}

function nibblesOf(bytes: Buffer): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15])
}

function indexBytes(index: number): Buffer {
  const digits = index === 0 ? '' : index.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}
