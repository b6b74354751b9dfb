import { hash } from 'node:crypto'
import { InvalidEthereumData } from './malformed.js'
import { uint64LittleEndian } from './uint64.js'

// The containers of the consensus specification that are signed outside a beacon node, and their hash tree roots.

export interface DepositMessage {
  readonly pubkey: Buffer
  readonly withdrawalCredentials: Buffer
  readonly amountGwei: bigint
}

export interface DepositData extends DepositMessage {
  readonly signature: Buffer
}

interface ForkData {
  readonly currentVersion: Buffer
  readonly genesisValidatorsRoot: Buffer
}

interface SigningData {
  readonly objectRoot: Buffer
  readonly domain: Buffer
}

export interface VoluntaryExit {
  readonly epoch: bigint
  readonly validatorIndex: bigint
}

/** Of a beacon block: the root of its header is the root of the block. */
export interface BlockHeader {
  readonly slot: number
  readonly proposerIndex: number
  readonly parentRoot: Buffer
  readonly stateRoot: Buffer
  readonly bodyRoot: Buffer
}

export function blockHeaderRoot({ slot, proposerIndex, parentRoot, stateRoot, bodyRoot }: BlockHeader): Buffer {
  const numbers = [slot, proposerIndex].map((value) => uint64Root(BigInt(value)))
  const roots = [parentRoot, stateRoot, bodyRoot].map((root) => bytesRoot(root, 32))
  return merkleize([...numbers, ...roots, ZERO_CHUNK, ZERO_CHUNK, ZERO_CHUNK])
}

export function depositMessageRoot({ pubkey, withdrawalCredentials, amountGwei }: DepositMessage): Buffer {
  return merkleize([bytesRoot(pubkey, 48), bytesRoot(withdrawalCredentials, 32), uint64Root(amountGwei)])
}

export function depositDataRoot({ pubkey, withdrawalCredentials, amountGwei, signature }: DepositData): Buffer {
  return merkleize([bytesRoot(pubkey, 48), bytesRoot(withdrawalCredentials, 32), uint64Root(amountGwei), bytesRoot(signature, 96)])
}

export function forkDataRoot({ currentVersion, genesisValidatorsRoot }: ForkData): Buffer {
  return merkleize([bytesRoot(currentVersion, 4), bytesRoot(genesisValidatorsRoot, 32)])
}

export function signingDataRoot({ objectRoot, domain }: SigningData): Buffer {
  return merkleize([bytesRoot(objectRoot, 32), bytesRoot(domain, 32)])
}

export function voluntaryExitRoot({ epoch, validatorIndex }: VoluntaryExit): Buffer {
  return merkleize([uint64Root(epoch), uint64Root(validatorIndex)])
}

const CHUNK_LENGTH = 32
const ZERO_CHUNK = Buffer.alloc(CHUNK_LENGTH)

/** The root of the binary tree over these chunks, padded with zero chunks to a power of two. */
function merkleize(chunks: readonly Buffer[]): Buffer {
  const [first = ZERO_CHUNK, second] = chunks
  if (!second) return first
  const parents: Buffer[] = []
  // The trees here have at most four leaves, or eight, so the sibling of an odd node is a zero chunk, never a tree of them.
  for (let index = 0; index < chunks.length; index += 2)
    parents.push(hash('sha256', Buffer.concat([chunks[index] ?? ZERO_CHUNK, chunks[index + 1] ?? ZERO_CHUNK]), 'buffer'))
  return merkleize(parents)
}

/** A vector of bytes is split into chunks, the last one padded with zeros. */
function bytesRoot(bytes: Buffer, length: number): Buffer {
  if (bytes.length !== length) throw new InvalidEthereumData(`A field has ${bytes.length} bytes, not ${length}.`)
  const chunks = Array.from({ length: Math.ceil(length / CHUNK_LENGTH) }, (_, index) => {
    const chunk = Buffer.alloc(CHUNK_LENGTH)
    bytes.copy(chunk, 0, index * CHUNK_LENGTH)
    return chunk
  })
  return merkleize(chunks)
}

function uint64Root(value: bigint): Buffer {
  return Buffer.concat([uint64LittleEndian(value)], CHUNK_LENGTH)
}
