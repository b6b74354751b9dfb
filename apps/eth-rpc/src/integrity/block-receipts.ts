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
  if (typeof receiptsRoot !== 'string') return undefined
  return rootOf(json) === receiptsRoot.toLowerCase() ? undefined : 'doubtful'
}

function rootOf(json: Buffer): string | undefined {
  try {
    return orderedRoot((JSON.parse(json.toString()) as Receipt[]).map(encodedReceipt))
  } catch {
    return undefined
  }
}

/** EIP-2718, and before it the Yellow Paper's. */
function encodedReceipt({ type = '0x0', status, root, cumulativeGasUsed, logsBloom, logs }: Receipt): Buffer {
  const outcome = root === undefined ? number(status ?? '0x0') : bytes(root)
  const entries = logs.map(({ address, topics, data }) => rlpList([bytes(address), rlpList(topics.map(bytes)), bytes(data)]))
  const receipt = rlpList([outcome, number(cumulativeGasUsed), bytes(logsBloom), rlpList(entries)])
  return Number(type) === 0 ? receipt : Buffer.concat([Buffer.of(Number(type)), receipt])
}

function bytes(hex: string): Buffer {
  return rlpBytes(Buffer.from(hex.slice(2), 'hex'))
}

function number(hex: string): Buffer {
  const digits = hex.slice(2).replace(/^0+/, '')
  return rlpBytes(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}
