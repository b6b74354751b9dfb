/** How far nodes that are right give the same answer. */
type Likeness =
  /** The chain says it: another answer is wrong. */
  | 'fact'
  /** Computed with settings that nodes may have of their own, such as the most gas of a call. */
  | 'computed'

/**
 * Methods about a block that is named, or a transaction, which every node answers alike. Left out is what is each node's own
 * (estimates, fees, the pool), what callers can check themselves (proofs, raw transactions by hash), and what is not asked of one node:
 * sending, filters, subscriptions, and what the gateway itself answers.
 */
const QUORUM_METHODS: ReadonlyMap<string, Likeness> = new Map<string, Likeness>([
  ['eth_getBlockByNumber', 'fact'],
  ['eth_getBlockByHash', 'fact'],
  ['eth_getHeaderByNumber', 'fact'],
  ['eth_getHeaderByHash', 'fact'],
  ['eth_getBlockReceipts', 'fact'],
  ['eth_getBlockTransactionCountByNumber', 'fact'],
  ['eth_getBlockTransactionCountByHash', 'fact'],
  ['eth_getUncleCountByBlockNumber', 'fact'],
  ['eth_getUncleCountByBlockHash', 'fact'],
  ['eth_getUncleByBlockNumberAndIndex', 'fact'],
  ['eth_getUncleByBlockHashAndIndex', 'fact'],
  ['eth_getTransactionByBlockNumberAndIndex', 'fact'],
  ['eth_getTransactionByBlockHashAndIndex', 'fact'],
  ['eth_getRawTransactionByBlockNumberAndIndex', 'fact'],
  ['eth_getRawTransactionByBlockHashAndIndex', 'fact'],
  ['eth_getTransactionByHash', 'fact'],
  ['eth_getTransactionReceipt', 'fact'],
  ['eth_getLogs', 'fact'],
  ['eth_getBalance', 'fact'],
  ['eth_getCode', 'fact'],
  ['eth_getTransactionCount', 'fact'],
  ['eth_getStorageAt', 'fact'],
  ['eth_call', 'computed'],
  ['eth_feeHistory', 'computed'],
])

export const QUORUM_METHOD_NAMES: ReadonlySet<string> = new Set(QUORUM_METHODS.keys())

/** Whether a node that answers otherwise than most must be wrong. */
export function isFact(method: string): boolean {
  return QUORUM_METHODS.get(method) === 'fact'
}
