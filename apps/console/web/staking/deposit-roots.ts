import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'

// Computed independently of the platform's own code: hash tree roots of the consensus specification (SSZ, simple-serialize.md).

interface DepositContent {
  readonly pubkey: Uint8Array
  readonly withdrawalCredentials: Uint8Array
  readonly amountGwei: bigint
  readonly signature: Uint8Array
}

/** The deposit contract computes it too, and takes it as its fourth argument. */
export function computeDepositDataRoot(deposit: DepositContent): Uint8Array {
  return rootOf([...messageLeaves(deposit), rootOf(chunksOf(deposit.signature))])
}

/** What the key signs: the deposit without its signature, under the domain of deposits (beacon-chain.md, compute_signing_root). */
export function computeDepositSigningRoot(deposit: Omit<DepositContent, 'signature'>, genesisForkVersion: string): Uint8Array {
  return rootOf([rootOf(messageLeaves(deposit)), depositDomain(genesisForkVersion)])
}

/** Always the genesis fork and no validators root: deposits are older than the chain. */
function depositDomain(genesisForkVersion: string): Uint8Array {
  const version = chunksOf(bytesOf(genesisForkVersion))
  const forkDataRoot = rootOf([...version, new Uint8Array(CHUNK)])
  return concatBytes(DOMAIN_DEPOSIT, forkDataRoot.slice(0, 28))
}

export function bytesOf(hex: string): Uint8Array {
  return hexToBytes(hex.replace(/^0x/, ''))
}

const CHUNK = 32
const DOMAIN_DEPOSIT = Uint8Array.of(3, 0, 0, 0)

function messageLeaves({ pubkey, withdrawalCredentials, amountGwei }: Omit<DepositContent, 'signature'>): Uint8Array[] {
  return [rootOf(chunksOf(pubkey)), withdrawalCredentials, uint64(amountGwei)]
}

/** The root of a binary tree over chunks, filled up with zeros to a power of two. */
function rootOf(chunks: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(CHUNK), second] = chunks
  if (!second) return first
  const parents: Uint8Array[] = []
  // Of at most four leaves an odd one has only a zero chunk beside it, never a tree of them.
  for (let index = 0; index < chunks.length; index += 2)
    parents.push(sha256(concatBytes(chunks[index] ?? first, chunks[index + 1] ?? new Uint8Array(CHUNK))))
  return rootOf(parents)
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, index) => {
    const chunk = new Uint8Array(CHUNK)
    chunk.set(bytes.subarray(index * CHUNK, (index + 1) * CHUNK))
    return chunk
  })
}

/** The lowest byte first. */
function uint64(value: bigint): Uint8Array {
  const chunk = new Uint8Array(CHUNK)
  new DataView(chunk.buffer).setBigUint64(0, value, true)
  return chunk
}
