import { keccak_256 } from '@noble/hashes/sha3.js'
import type { ChainBlock } from '../heads/followed-chain.js'
import { orderedRoot } from './ordered-root.js'
import { rlpBytes, rlpList } from './rlp.js'
import type { Suspicion } from './suspicion.js'

interface Receipt {
  readonly type?: string
  readonly status?: string
  readonly root?: string
  readonly cumulativeGasUsed: string
  readonly logsBloom: string
  readonly transactionHash?: string
  /** Of a deposit of the OP stack. */
  readonly depositNonce?: string
  readonly depositReceiptVersion?: string
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[]
}

// A larger answer would hold up others for too long.
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Holds the receipts of a block against the root in its header. A chain may have receipts of its own that are hashed in other ways, so that
 * another root is a reason to ask somebody else, and no more.
 */
export function receiptsSuspicion(json: Buffer, block: ChainBlock | undefined): Suspicion | undefined {
  if (!block || json.length > MAX_BYTES) return undefined
  const { receiptsRoot } = JSON.parse(block.header) as { receiptsRoot?: unknown }
  if (typeof receiptsRoot !== 'string' || receiptsRoot === NO_ROOT) return undefined
  return rootOf(json, block) === receiptsRoot.toLowerCase() ? undefined : 'doubtful'
}

/** Of chains that keep none, such as ZKsync. */
const NO_ROOT = `0x${'0'.repeat(64)}`

function rootOf(json: Buffer, block: ChainBlock): string | undefined {
  try {
    const receipts = JSON.parse(json.toString()) as Receipt[]
    const last = receipts.at(-1)?.transactionHash?.toLowerCase()
    const hashed = last === stateSyncHash(block) ? receipts.slice(0, -1) : receipts
    return orderedRoot(hashed.map(encodedReceipt))
  } catch {
    return undefined
  }
}

/** Of Polygon's transaction for events of its L1, until PIP-74: the nodes show it as the last, and the roots are without it. */
function stateSyncHash({ number, hash }: ChainBlock): string {
  const bytes = Buffer.concat([STATE_SYNC, Buffer.from(number.toString(16).padStart(16, '0') + hash.slice(2), 'hex')])
  return `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`
}

const STATE_SYNC = Buffer.from('matic-bor-receipt-')

/** EIP-2718, and before it the Yellow Paper's. On the OP stack a deposit has a nonce, and since Canyon its receipt's version. */
function encodedReceipt(shown: Receipt): Buffer {
  const { type = '0x0', status, root, cumulativeGasUsed, logsBloom, logs, depositNonce, depositReceiptVersion } = shown
  const outcome = root === undefined ? number(status ?? '0x0') : bytes(root)
  const entries = logs.map(({ address, topics, data }) => rlpList([bytes(address), rlpList(topics.map(bytes)), bytes(data)]))
  const deposit = depositNonce && depositReceiptVersion ? [number(depositNonce), number(depositReceiptVersion)] : []
  const receipt = rlpList([outcome, number(cumulativeGasUsed), bytes(logsBloom), rlpList(entries), ...deposit])
  return Number(type) === 0 ? receipt : Buffer.concat([Buffer.of(Number(type)), receipt])
}

function bytes(hex: string): Buffer {
  return rlpBytes(Buffer.from(hex.slice(2), 'hex'))
}

function number(hex: string): Buffer {
  const digits = hex.slice(2).replace(/^0+/, '')
  return rlpBytes(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}
