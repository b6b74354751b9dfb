/** What a parameter is, and so how it is asked for and written. */
export type ParameterKind = 'block' | 'address' | 'hash' | 'data' | 'quantity' | 'flag' | 'json'

export interface Parameter {
  readonly name: string
  readonly kind: ParameterKind
  /** What stands there at first; without one it has to be given, unless it may be missing. */
  readonly initial?: string
  readonly optional?: true
}

/** A JSON-RPC method for people: what its params are called, and what it is for. */
export interface MethodDescription {
  readonly name: string
  readonly summary: string
  /** Without them it takes what no form has room for. */
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

/** What the gateway serves over HTTP but for granted namespaces, the common ones first. */
export const METHOD_DESCRIPTIONS: readonly MethodDescription[] = [
  { name: 'eth_blockNumber', summary: 'The number of the newest block.', parameters: [], answers: 'number' },
  { name: 'eth_chainId', summary: 'The id of the chain, for signing (EIP-155).', parameters: [], answers: 'number' },
  { name: 'eth_gasPrice', summary: 'A gas price that is likely to be accepted.', parameters: [], answers: 'gwei' },
  { name: 'eth_getBalance', summary: 'The balance of an account.', parameters: [address, block], answers: 'wei' },
  { name: 'eth_getBlockByNumber', summary: 'A block by its number or tag.', parameters: [block, full] },
  { name: 'eth_getBlockByHash', summary: 'A block by its hash.', parameters: [blockHash, full] },
  { name: 'eth_getTransactionByHash', summary: 'A transaction, also one that is pending.', parameters: [transactionHash] },
  {
    name: 'eth_getTransactionReceipt',
    summary: 'What a transaction did: its status, gas and logs; null until it is in a block.',
    parameters: [transactionHash],
  },
  {
    name: 'eth_getTransactionCount',
    summary: 'The nonce of an account: how many transactions it has sent.',
    parameters: [address, block],
    answers: 'number',
  },
  { name: 'eth_call', summary: 'Runs a call without a transaction, and returns its result.', parameters: [transaction, block] },
  {
    name: 'eth_estimateGas',
    summary: 'The gas that a transaction would need.',
    parameters: [transaction, { ...block, optional: true }],
    answers: 'number',
  },
  {
    name: 'eth_getLogs',
    summary: 'The logs of a range of blocks, or of one block, that match addresses and topics.',
    parameters: [criteria],
  },
  { name: 'eth_getCode', summary: 'The code of a contract.', parameters: [address, block] },
  {
    name: 'eth_getStorageAt',
    summary: 'One slot of the storage of a contract.',
    parameters: [address, { name: 'slot', kind: 'quantity', initial: '0' }, block],
  },
  {
    name: 'eth_feeHistory',
    summary: 'Base fees, and the priority fees that were paid, of the last blocks (EIP-1559).',
    parameters: [
      { name: 'blocks', kind: 'quantity', initial: '5' },
      { ...block, name: 'newestBlock' },
      { name: 'percentiles', kind: 'json', initial: '[25,50,75]' },
    ],
  },
  {
    name: 'eth_maxPriorityFeePerGas',
    summary: 'A priority fee that is likely to be accepted (EIP-1559).',
    parameters: [],
    answers: 'gwei',
  },
  {
    name: 'eth_sendRawTransaction',
    summary: 'Sends a signed transaction, and returns its hash.',
    parameters: [{ name: 'rawTransaction', kind: 'data' }],
  },
  { name: 'eth_accounts', summary: 'None: the gateway holds no keys.', parameters: [] },
  { name: 'eth_baseFee', summary: 'The base fee of the next block (EIP-1559).', parameters: [], answers: 'gwei' },
  { name: 'eth_blobBaseFee', summary: 'The base fee of blob gas of the next block (EIP-4844).', parameters: [], answers: 'wei' },
  { name: 'eth_capabilities', summary: 'What of the history the node has.', parameters: [] },
  { name: 'eth_coinbase', summary: 'The address that the node mines for; some nodes no longer know this method.', parameters: [] },
  { name: 'eth_config', summary: 'The forks of the chain and their parameters (EIP-7910).', parameters: [] },
  { name: 'eth_createAccessList', summary: 'The access list that a transaction would need (EIP-2930).', parameters: [transaction, block] },
  { name: 'eth_fillTransaction', summary: 'A transaction with the nonce, gas and fees that it lacks.', parameters: [transaction] },
  {
    name: 'eth_getAccount',
    summary: 'An account as the state has it: nonce, balance, code hash and storage root.',
    parameters: [address, block],
  },
  { name: 'eth_getBlockAccessList', summary: 'All that a block read and wrote (EIP-7928).', parameters: [block] },
  { name: 'eth_getBlockReceipts', summary: 'The receipts of all transactions of a block.', parameters: [block] },
  { name: 'eth_getBlockTransactionCountByHash', summary: 'How many transactions a block has.', parameters: [blockHash], answers: 'number' },
  { name: 'eth_getBlockTransactionCountByNumber', summary: 'How many transactions a block has.', parameters: [block], answers: 'number' },
  { name: 'eth_getFilterChanges', summary: 'What a filter has found since it was last asked.', parameters: [filterId] },
  { name: 'eth_getFilterLogs', summary: 'All logs that match a filter.', parameters: [filterId] },
  { name: 'eth_getHeaderByHash', summary: 'The header of a block by its hash.', parameters: [blockHash] },
  { name: 'eth_getHeaderByNumber', summary: 'The header of a block by its number or tag.', parameters: [block] },
  {
    name: 'eth_getProof',
    summary: 'An account and slots of its storage, with Merkle proofs (EIP-1186).',
    parameters: [address, { name: 'slots', kind: 'json', initial: `["0x${'0'.repeat(64)}"]` }, block],
  },
  {
    name: 'eth_getRawTransactionByBlockHashAndIndex',
    summary: 'The bytes of a transaction by its place in a block.',
    parameters: [blockHash, index],
  },
  {
    name: 'eth_getRawTransactionByBlockNumberAndIndex',
    summary: 'The bytes of a transaction by its place in a block.',
    parameters: [block, index],
  },
  { name: 'eth_getRawTransactionByHash', summary: 'The bytes of a transaction.', parameters: [transactionHash] },
  { name: 'eth_getStorageValues', summary: 'Several slots of several contracts at once.' },
  { name: 'eth_getTransactionByBlockHashAndIndex', summary: 'A transaction by its place in a block.', parameters: [blockHash, index] },
  { name: 'eth_getTransactionByBlockNumberAndIndex', summary: 'A transaction by its place in a block.', parameters: [block, index] },
  { name: 'eth_getUncleByBlockHashAndIndex', summary: 'An uncle of a block.', parameters: [blockHash, index] },
  { name: 'eth_getUncleByBlockNumberAndIndex', summary: 'An uncle of a block.', parameters: [block, index] },
  { name: 'eth_getUncleCountByBlockHash', summary: 'How many uncles a block has.', parameters: [blockHash], answers: 'number' },
  { name: 'eth_getUncleCountByBlockNumber', summary: 'How many uncles a block has.', parameters: [block], answers: 'number' },
  { name: 'eth_hashrate', summary: 'The hash rate of the node; some nodes no longer know this method.', parameters: [], answers: 'number' },
  { name: 'eth_mining', summary: 'Whether the node mines; some nodes no longer know this method.', parameters: [] },
  { name: 'eth_newBlockFilter', summary: 'Installs a filter for new blocks, and returns its id.', parameters: [] },
  { name: 'eth_newFilter', summary: 'Installs a filter for logs, and returns its id.', parameters: [criteria] },
  { name: 'eth_newPendingTransactionFilter', summary: 'Installs a filter for pending transactions, and returns its id.', parameters: [] },
  { name: 'eth_protocolVersion', summary: 'The version of the protocol between nodes.', parameters: [] },
  {
    name: 'eth_sendRawTransactionSync',
    summary: 'Sends a signed transaction, and returns its receipt once it is in a block (EIP-7966).',
    parameters: [{ name: 'rawTransaction', kind: 'data' }],
  },
  { name: 'eth_simulateV1', summary: 'Runs calls in a sequence of simulated blocks.' },
  { name: 'eth_syncing', summary: 'False, or how far the nodes are behind.', parameters: [] },
  { name: 'eth_uninstallFilter', summary: 'Removes a filter.', parameters: [filterId] },
  { name: 'net_listening', summary: 'Whether the gateway takes calls: true.', parameters: [] },
  { name: 'net_peerCount', summary: 'How many nodes serve behind the gateway.', parameters: [], answers: 'number' },
  { name: 'net_version', summary: 'The id of the network.', parameters: [] },
  { name: 'web3_clientVersion', summary: 'The name and version of the gateway.', parameters: [] },
  { name: 'web3_sha3', summary: 'The Keccak-256 hash of bytes.', parameters: [{ name: 'data', kind: 'data', initial: '0x68656c6c6f' }] },
  { name: 'rpc.discover', summary: 'This list, as an OpenRPC document.', parameters: [] },
]
