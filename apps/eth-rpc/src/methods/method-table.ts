/** How long an answer stays true. */
export type CacheClass =
  /** As long as the chain exists. */
  | 'static'
  /** About a block named by its hash. */
  | 'immutable'
  /** About a block named by its number: once that is final for ever, before as long as the chain has this block. */
  | 'block'
  /** Until the next head. */
  | 'head'
  /** About the block that the answer names. */
  | 'transaction'
  | 'never'

export interface MethodPolicy {
  readonly name: string
  readonly computeUnits: number
  readonly cache: CacheClass
  readonly answeredBy: 'gateway' | 'upstream' | 'filters' | 'subscriptions' | 'broadcast'
  /** The position in the params of the block that the call is about. */
  readonly blockParam?: number
  /** What is there, if not a number, a tag or an EIP-1898 object. `number`: of the latter most nodes understand none. */
  readonly blockForm?: 'number' | 'hash' | 'criteria'
  /** Left out, the block is the latest. */
  readonly blockOptional?: true
  /** Under which names an answer has its block: `number` and `hash`, or `blockNumber` and `blockHash`. */
  readonly namesBlock?: 'block' | 'transaction'
  /** Null may be the answer though the block exists. */
  readonly mayBeNull?: true
  /** Reads the state after a block: of an old one only archive nodes have it. */
  readonly readsState?: true
  /** How many params there are at most, where no node is asked about all of them. */
  readonly maxParams?: number
  /** Work for a node: it is not asked of a second one while the first is slow. */
  readonly isHeavy?: true
  /** A second call has no further effect: it may be repeated, hedged and shared. */
  readonly idempotent: boolean
}

const ask = { answeredBy: 'upstream', idempotent: true } as const satisfies Partial<MethodPolicy>
const own = { answeredBy: 'gateway', idempotent: true, maxParams: 0 } as const satisfies Partial<MethodPolicy>
const filters = { answeredBy: 'filters', cache: 'never', idempotent: false, maxParams: 1 } as const satisfies Partial<MethodPolicy>
const subscriptions = { answeredBy: 'subscriptions', cache: 'never', idempotent: false } as const satisfies Partial<MethodPolicy>
const byNumber = { ...ask, cache: 'block', blockParam: 0, blockForm: 'number' } as const satisfies Partial<MethodPolicy>
const byNumberOrHash = { ...ask, cache: 'block', blockParam: 0 } as const satisfies Partial<MethodPolicy>
const byHash = { ...ask, cache: 'immutable', blockParam: 0, blockForm: 'hash' } as const satisfies Partial<MethodPolicy>
const ofHead = { ...ask, cache: 'head' } as const satisfies Partial<MethodPolicy>
const ofState = { ...ask, cache: 'block', blockOptional: true, readsState: true } as const satisfies Partial<MethodPolicy>

const logs = {
  cache: 'block',
  blockParam: 0,
  blockForm: 'criteria',
  maxParams: 1,
  namesBlock: 'transaction',
} as const satisfies Partial<MethodPolicy>

/**
 * All that callers may use; nothing else is let through. Names, params and which of them may be left out are those of the
 * execution-apis specification (`src/eth/*.yaml` at 033ca6e) without what signs for the caller; of older methods, EIP-1474's that need no
 * key; of geth's, those that clients call. Compute units are near those of the hosted services, so that quotas can be compared.
 */
export const METHOD_TABLE: readonly MethodPolicy[] = [
  { ...own, name: 'eth_chainId', computeUnits: 0, cache: 'static' },
  { ...own, name: 'net_version', computeUnits: 0, cache: 'static' },
  { ...own, name: 'net_listening', computeUnits: 0, cache: 'static' },
  { ...own, name: 'net_peerCount', computeUnits: 0, cache: 'never' },
  { ...own, name: 'web3_clientVersion', computeUnits: 15, cache: 'static' },
  { ...own, name: 'web3_sha3', computeUnits: 15, cache: 'static', maxParams: 1 },
  { ...own, name: 'eth_protocolVersion', computeUnits: 0, cache: 'static' },
  { ...own, name: 'eth_syncing', computeUnits: 0, cache: 'never' },
  { ...own, name: 'eth_accounts', computeUnits: 10, cache: 'static' },
  { ...own, name: 'eth_blockNumber', computeUnits: 10, cache: 'head' },
  { ...own, name: 'rpc.discover', computeUnits: 15, cache: 'static' },

  // Some nodes no longer know them.
  { ...ask, name: 'eth_coinbase', computeUnits: 10, cache: 'never' },
  { ...ask, name: 'eth_mining', computeUnits: 10, cache: 'never' },
  { ...ask, name: 'eth_hashrate', computeUnits: 10, cache: 'never' },

  { ...ofHead, name: 'eth_gasPrice', computeUnits: 19 },
  { ...ofHead, name: 'eth_maxPriorityFeePerGas', computeUnits: 10 },
  { ...ofHead, name: 'eth_baseFee', computeUnits: 10, mayBeNull: true },
  { ...ofHead, name: 'eth_blobBaseFee', computeUnits: 10, mayBeNull: true },
  { ...ofHead, name: 'eth_config', computeUnits: 10 },
  { ...ask, name: 'eth_feeHistory', computeUnits: 10, cache: 'block', blockParam: 1, blockForm: 'number' },
  // What a node has; nodes differ.
  { ...ask, name: 'eth_capabilities', computeUnits: 10, cache: 'never' },

  { ...byNumber, name: 'eth_getBlockByNumber', computeUnits: 16, namesBlock: 'block' },
  { ...byHash, name: 'eth_getBlockByHash', computeUnits: 21, namesBlock: 'block' },
  { ...byNumberOrHash, name: 'eth_getBlockReceipts', computeUnits: 500, namesBlock: 'transaction' },
  { ...byNumberOrHash, name: 'eth_getBlockAccessList', computeUnits: 500, mayBeNull: true },
  { ...byNumber, name: 'eth_getHeaderByNumber', computeUnits: 16, namesBlock: 'block' },
  { ...byHash, name: 'eth_getHeaderByHash', computeUnits: 21, namesBlock: 'block' },
  { ...byNumber, name: 'eth_getBlockTransactionCountByNumber', computeUnits: 20 },
  { ...byHash, name: 'eth_getBlockTransactionCountByHash', computeUnits: 20 },
  { ...byNumber, name: 'eth_getUncleCountByBlockNumber', computeUnits: 15 },
  { ...byHash, name: 'eth_getUncleCountByBlockHash', computeUnits: 15 },
  // An uncle has its own number and hash, which are not those of the block that contains it.
  { ...byNumber, name: 'eth_getUncleByBlockNumberAndIndex', computeUnits: 15, mayBeNull: true },
  { ...byHash, name: 'eth_getUncleByBlockHashAndIndex', computeUnits: 15, mayBeNull: true },

  { ...byNumber, name: 'eth_getTransactionByBlockNumberAndIndex', computeUnits: 15, namesBlock: 'transaction', mayBeNull: true },
  { ...byHash, name: 'eth_getTransactionByBlockHashAndIndex', computeUnits: 15, namesBlock: 'transaction', mayBeNull: true },
  { ...byNumber, name: 'eth_getRawTransactionByBlockNumberAndIndex', computeUnits: 15, mayBeNull: true },
  { ...byHash, name: 'eth_getRawTransactionByBlockHashAndIndex', computeUnits: 15, mayBeNull: true },
  { ...ask, name: 'eth_getTransactionByHash', computeUnits: 17, cache: 'transaction', namesBlock: 'transaction', mayBeNull: true },
  { ...ask, name: 'eth_getTransactionReceipt', computeUnits: 15, cache: 'transaction', namesBlock: 'transaction', mayBeNull: true },
  { ...ask, name: 'eth_getRawTransactionByHash', computeUnits: 17, cache: 'never' },
  { ...ask, name: 'eth_getLogs', computeUnits: 75, ...logs },

  { ...ofState, name: 'eth_getBalance', computeUnits: 19, blockParam: 1 },
  { ...ofState, name: 'eth_getCode', computeUnits: 19, blockParam: 1 },
  { ...ofState, name: 'eth_getTransactionCount', computeUnits: 26, blockParam: 1 },
  { ...ofState, name: 'eth_getAccount', computeUnits: 21, blockParam: 1, mayBeNull: true },
  { ...ofState, name: 'eth_getStorageAt', computeUnits: 17, blockParam: 2 },
  { ...ofState, name: 'eth_getStorageValues', computeUnits: 26, blockParam: 1 },
  { ...ofState, name: 'eth_getProof', computeUnits: 21, blockParam: 2 },
  { ...ofState, name: 'eth_call', computeUnits: 26, blockParam: 1 },
  { ...ofState, name: 'eth_estimateGas', computeUnits: 87, blockParam: 1 },
  { ...ofState, name: 'eth_createAccessList', computeUnits: 87, blockParam: 1 },
  { ...ofState, name: 'eth_simulateV1', computeUnits: 87, blockParam: 1 },

  // Nonce and fees are those of the moment.
  { ...ask, name: 'eth_fillTransaction', computeUnits: 87, cache: 'never' },
  { name: 'eth_sendRawTransaction', computeUnits: 250, cache: 'never', answeredBy: 'broadcast', idempotent: false },
  // EIP-7966
  { name: 'eth_sendRawTransactionSync', computeUnits: 265, cache: 'never', answeredBy: 'broadcast', idempotent: false, maxParams: 2 },

  { ...filters, name: 'eth_newFilter', computeUnits: 20, blockParam: 0, blockForm: 'criteria' },
  { ...filters, name: 'eth_newBlockFilter', computeUnits: 20, maxParams: 0 },
  { ...filters, name: 'eth_newPendingTransactionFilter', computeUnits: 20 },
  { ...filters, name: 'eth_getFilterChanges', computeUnits: 20 },
  { ...filters, name: 'eth_getFilterLogs', computeUnits: 75 },
  { ...filters, name: 'eth_uninstallFilter', computeUnits: 10 },
  { ...subscriptions, name: 'eth_subscribe', computeUnits: 10 },
  { ...subscriptions, name: 'eth_unsubscribe', computeUnits: 10 },
]
