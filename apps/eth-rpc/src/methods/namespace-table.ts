import type { MethodNamespace } from '@trestle/contracts/eth-rpc/projects'
import type { MethodPolicy } from './method-table.js'

/** A method that a project may call where an administrator has granted its namespace. */
interface NamespacePolicy extends MethodPolicy {
  readonly namespace: MethodNamespace
}

const read = { answeredBy: 'upstream', cache: 'never', idempotent: true } as const satisfies Partial<MethodPolicy>
const replay = { ...read, readsState: true, isHeavy: true } as const satisfies Partial<MethodPolicy>
const debug = { ...read, namespace: 'debug', computeUnits: 100 } as const
const debugTrace = { ...replay, namespace: 'debug', computeUnits: 310 } as const
const trace = { ...replay, namespace: 'trace', computeUnits: 310 } as const
const txpool = { ...read, namespace: 'txpool' } as const
const erigon = { ...read, namespace: 'erigon' } as const
const ots = { ...replay, namespace: 'ots', computeUnits: 100 } as const

/**
 * Of each namespace what reads. What changes a node, stops it, writes to its disk or profiles it is left out, for whomever:
 * debug_setHead, debug_chaindbCompact, debug_standardTraceBlockToFile and their like.
 */
export const NAMESPACE_TABLE: readonly NamespacePolicy[] = [
  { ...debugTrace, name: 'debug_traceTransaction' },
  { ...debugTrace, name: 'debug_traceCall', blockParam: 1 },
  { ...debugTrace, name: 'debug_traceCallMany' },
  { ...debugTrace, name: 'debug_traceBlock', computeUnits: 1000 },
  { ...debugTrace, name: 'debug_traceBlockByNumber', computeUnits: 1000, blockParam: 0, blockForm: 'number' },
  { ...debugTrace, name: 'debug_traceBlockByHash', computeUnits: 1000, blockParam: 0, blockForm: 'hash' },
  { ...debugTrace, name: 'debug_intermediateRoots', computeUnits: 1000 },
  { ...debugTrace, name: 'debug_storageRangeAt' },
  { ...debugTrace, name: 'debug_accountRange' },
  { ...debugTrace, name: 'debug_executionWitness', computeUnits: 1000 },
  { ...debugTrace, name: 'debug_executionWitnessByHash', computeUnits: 1000 },
  { ...debug, name: 'debug_getRawBlock', blockParam: 0 },
  { ...debug, name: 'debug_getRawHeader', blockParam: 0 },
  { ...debug, name: 'debug_getRawReceipts', blockParam: 0 },
  { ...debug, name: 'debug_getRawTransaction' },
  { ...debug, name: 'debug_getRawBlockAccessList', blockParam: 0 },
  { ...debug, name: 'debug_getBadBlocks' },
  { ...debug, name: 'debug_getModifiedAccountsByNumber' },
  { ...debug, name: 'debug_getModifiedAccountsByHash' },
  { ...debug, name: 'debug_preimage' },

  { ...trace, name: 'trace_transaction' },
  { ...trace, name: 'trace_get' },
  { ...trace, name: 'trace_block', computeUnits: 1000, blockParam: 0 },
  { ...trace, name: 'trace_filter', computeUnits: 1000 },
  { ...trace, name: 'trace_call', blockParam: 2 },
  { ...trace, name: 'trace_callMany', computeUnits: 1000, blockParam: 1 },
  { ...trace, name: 'trace_rawTransaction' },
  { ...trace, name: 'trace_replayTransaction' },
  { ...trace, name: 'trace_replayBlockTransactions', computeUnits: 1000, blockParam: 0 },

  { ...txpool, name: 'txpool_status', computeUnits: 20 },
  { ...txpool, name: 'txpool_inspect', computeUnits: 1000 },
  { ...txpool, name: 'txpool_content', computeUnits: 1000 },
  { ...txpool, name: 'txpool_contentFrom', computeUnits: 100 },

  { ...erigon, name: 'erigon_blockNumber', computeUnits: 10 },
  { ...erigon, name: 'erigon_forks', computeUnits: 10 },
  { ...erigon, name: 'erigon_getHeaderByNumber', computeUnits: 16 },
  { ...erigon, name: 'erigon_getHeaderByHash', computeUnits: 21 },
  { ...erigon, name: 'erigon_getBlockByTimestamp', computeUnits: 21 },
  { ...erigon, name: 'erigon_getBlockReceiptsByBlockHash', computeUnits: 500 },
  { ...erigon, name: 'erigon_getLogsByHash', computeUnits: 75 },
  { ...erigon, name: 'erigon_getLatestLogs', computeUnits: 500 },

  { ...ots, name: 'ots_getApiLevel', computeUnits: 10 },
  { ...ots, name: 'ots_hasCode', computeUnits: 19 },
  { ...ots, name: 'ots_getBlockDetails' },
  { ...ots, name: 'ots_getBlockDetailsByHash' },
  { ...ots, name: 'ots_getBlockTransactions' },
  { ...ots, name: 'ots_getContractCreator' },
  { ...ots, name: 'ots_getInternalOperations' },
  { ...ots, name: 'ots_getTransactionBySenderAndNonce' },
  { ...ots, name: 'ots_getTransactionError' },
  { ...ots, name: 'ots_searchTransactionsAfter', computeUnits: 310 },
  { ...ots, name: 'ots_searchTransactionsBefore', computeUnits: 310 },
  { ...ots, name: 'ots_traceTransaction', computeUnits: 310 },
]
