/** What a parameter is, and so how it is asked for and written. */
export type ParameterKind = 'block' | 'address' | 'hash' | 'data' | 'quantity' | 'flag' | 'json'

export interface Parameter {
  readonly name: string
  readonly kind: ParameterKind
  /** What stands there at first; without one it has to be given, unless it may be missing. */
  readonly initial?: string
  readonly optional?: true
}

export interface PlaygroundMethod {
  readonly name: string
  /** Without them it is called with free JSON alone. */
  readonly parameters?: readonly Parameter[]
  /** Of which unit its answer is, where it is a number. */
  readonly answers?: 'number' | 'wei' | 'gwei'
}

const ZERO = `0x${'0'.repeat(40)}`
const block: Parameter = { name: 'block', kind: 'block', initial: 'latest' }
const address: Parameter = { name: 'address', kind: 'address', initial: ZERO }
const blockHash: Parameter = { name: 'blockHash', kind: 'hash' }
const transactionHash: Parameter = { name: 'transactionHash', kind: 'hash' }
const index: Parameter = { name: 'index', kind: 'quantity', initial: '0' }
const full: Parameter = { name: 'fullTransactions', kind: 'flag', initial: 'false' }
const transaction: Parameter = { name: 'transaction', kind: 'json', initial: `{"to":"${ZERO}","data":"0x"}` }
const criteria: Parameter = { name: 'filter', kind: 'json', initial: '{"fromBlock":"latest","toBlock":"latest"}' }
const filterId: Parameter = { name: 'filterId', kind: 'quantity' }

/** What the gateway serves over HTTP, the common ones first. */
export const PLAYGROUND_METHODS: readonly PlaygroundMethod[] = [
  { name: 'eth_blockNumber', parameters: [], answers: 'number' },
  { name: 'eth_chainId', parameters: [], answers: 'number' },
  { name: 'eth_gasPrice', parameters: [], answers: 'gwei' },
  { name: 'eth_getBalance', parameters: [address, block], answers: 'wei' },
  { name: 'eth_getBlockByNumber', parameters: [block, full] },
  { name: 'eth_getBlockByHash', parameters: [blockHash, full] },
  { name: 'eth_getTransactionByHash', parameters: [transactionHash] },
  { name: 'eth_getTransactionReceipt', parameters: [transactionHash] },
  { name: 'eth_getTransactionCount', parameters: [address, block], answers: 'number' },
  { name: 'eth_call', parameters: [transaction, block] },
  { name: 'eth_estimateGas', parameters: [transaction, { ...block, optional: true }], answers: 'number' },
  { name: 'eth_getLogs', parameters: [criteria] },
  { name: 'eth_getCode', parameters: [address, block] },
  { name: 'eth_getStorageAt', parameters: [address, { name: 'slot', kind: 'quantity', initial: '0' }, block] },
  {
    name: 'eth_feeHistory',
    parameters: [
      { name: 'blocks', kind: 'quantity', initial: '5' },
      { ...block, name: 'newestBlock' },
      { name: 'percentiles', kind: 'json', initial: '[25,50,75]' },
    ],
  },
  { name: 'eth_maxPriorityFeePerGas', parameters: [], answers: 'gwei' },
  { name: 'eth_sendRawTransaction', parameters: [{ name: 'rawTransaction', kind: 'data' }] },
  { name: 'eth_accounts', parameters: [] },
  { name: 'eth_baseFee', parameters: [], answers: 'gwei' },
  { name: 'eth_blobBaseFee', parameters: [], answers: 'wei' },
  { name: 'eth_capabilities', parameters: [] },
  { name: 'eth_coinbase', parameters: [] },
  { name: 'eth_config', parameters: [] },
  { name: 'eth_createAccessList', parameters: [transaction, block] },
  { name: 'eth_fillTransaction', parameters: [transaction] },
  { name: 'eth_getAccount', parameters: [address, block] },
  { name: 'eth_getBlockAccessList', parameters: [block] },
  { name: 'eth_getBlockReceipts', parameters: [block] },
  { name: 'eth_getBlockTransactionCountByHash', parameters: [blockHash], answers: 'number' },
  { name: 'eth_getBlockTransactionCountByNumber', parameters: [block], answers: 'number' },
  { name: 'eth_getFilterChanges', parameters: [filterId] },
  { name: 'eth_getFilterLogs', parameters: [filterId] },
  { name: 'eth_getHeaderByHash', parameters: [blockHash] },
  { name: 'eth_getHeaderByNumber', parameters: [block] },
  { name: 'eth_getProof', parameters: [address, { name: 'slots', kind: 'json', initial: '["0x0"]' }, block] },
  { name: 'eth_getRawTransactionByBlockHashAndIndex', parameters: [blockHash, index] },
  { name: 'eth_getRawTransactionByBlockNumberAndIndex', parameters: [block, index] },
  { name: 'eth_getRawTransactionByHash', parameters: [transactionHash] },
  { name: 'eth_getStorageValues' },
  { name: 'eth_getTransactionByBlockHashAndIndex', parameters: [blockHash, index] },
  { name: 'eth_getTransactionByBlockNumberAndIndex', parameters: [block, index] },
  { name: 'eth_getUncleByBlockHashAndIndex', parameters: [blockHash, index] },
  { name: 'eth_getUncleByBlockNumberAndIndex', parameters: [block, index] },
  { name: 'eth_getUncleCountByBlockHash', parameters: [blockHash], answers: 'number' },
  { name: 'eth_getUncleCountByBlockNumber', parameters: [block], answers: 'number' },
  { name: 'eth_hashrate', parameters: [], answers: 'number' },
  { name: 'eth_mining', parameters: [] },
  { name: 'eth_newBlockFilter', parameters: [] },
  { name: 'eth_newFilter', parameters: [criteria] },
  { name: 'eth_newPendingTransactionFilter', parameters: [] },
  { name: 'eth_protocolVersion', parameters: [] },
  { name: 'eth_sendRawTransactionSync', parameters: [{ name: 'rawTransaction', kind: 'data' }] },
  { name: 'eth_simulateV1' },
  { name: 'eth_syncing', parameters: [] },
  { name: 'eth_uninstallFilter', parameters: [filterId] },
  { name: 'net_listening', parameters: [] },
  { name: 'net_peerCount', parameters: [], answers: 'number' },
  { name: 'net_version', parameters: [] },
  { name: 'web3_clientVersion', parameters: [] },
  { name: 'web3_sha3', parameters: [{ name: 'data', kind: 'data', initial: '0x68656c6c6f' }] },
]

export function playgroundMethod(name: string): PlaygroundMethod {
  return PLAYGROUND_METHODS.find((method) => method.name === name) ?? { name }
}
