import { methodNamed, RPC_METHODS } from './method.js'

// All methods of execution-apis, src/eth/*.yaml at 033ca6e, but for those that are refused.
const SPECIFIED = [
  'eth_accounts',
  'eth_baseFee',
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_capabilities',
  'eth_chainId',
  'eth_coinbase',
  'eth_config',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockAccessList',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getStorageValues',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_simulateV1',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_version',
]

// Of geth, and called by clients; not specified.
const COMMON = [
  'eth_fillTransaction',
  'eth_getHeaderByHash',
  'eth_getHeaderByNumber',
  'eth_getRawTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockNumberAndIndex',
  'eth_getRawTransactionByHash',
  'eth_hashrate',
  'eth_mining',
  'eth_sendRawTransactionSync',
]

// Specified, or known to nodes, and no business of callers: they need the node's keys, its mining, or its operator.
const REFUSED = [
  ...['eth_sign', 'eth_signTransaction', 'eth_signTypedData', 'eth_signTypedData_v4', 'eth_sendTransaction'],
  ...['eth_compileSolidity', 'eth_compileLLL', 'eth_compileSerpent', 'eth_getCompilers', 'eth_getWork', 'eth_submitWork'],
  ...[
    'eth_submitHashrate',
    'personal_sign',
    'personal_unlockAccount',
    'admin_peers',
    'admin_addPeer',
    'miner_start',
    'engine_newPayloadV4',
  ],
  ...['debug_getBadBlocks', 'debug_getRawBlock', 'debug_getRawBlockAccessList', 'debug_getRawHeader', 'debug_getRawReceipts'],
  ...['debug_getRawTransaction', 'debug_traceBlockByHash', 'debug_traceBlockByNumber', 'debug_traceTransaction', 'trace_block'],
  ...['txpool_content', 'txpool_contentFrom', 'txpool_status', 'testing_buildBlockV1', 'anvil_mine', 'anvil_setBalance', 'evm_mine'],
  ...[
    'hardhat_impersonateAccount',
    'clique_propose',
    'les_serverInfo',
    'db_putString',
    'shh_post',
    'wallet_addEthereumChain',
    'rpc_modules',
  ],
]

describe(methodNamed, () => {
  it.each([...SPECIFIED, ...COMMON])('serves %s', (name) => {
    expect(methodNamed(name)?.name).toBe(name)
  })

  it.each(REFUSED)('does not serve %s', (name) => {
    expect(methodNamed(name)).toBeUndefined()
  })

  it('accepts both names of the web3 namespace, and one name of every other', () => {
    expect(methodNamed('web_clientVersion')).toBe(methodNamed('web3_clientVersion'))
    expect(methodNamed('web_sha3')).toBe(methodNamed('web3_sha3'))
    expect(methodNamed('web_sha3')?.name).toBe('web3_sha3')
    expect(methodNamed('web_blockNumber')).toBeUndefined()
  })

  it.each([
    'ETH_blockNumber',
    'eth_BlockNumber',
    'eth_blockNumber ',
    ' eth_blockNumber',
    'eth_blockNumber\u0000',
    'eth_blockNumbe\u0433',
    '\uff45th_blockNumber',
    'eth_blockNumber\u200b',
    'eth.blockNumber',
    '',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ])('does not accept %j as a method', (name) => {
    expect(methodNamed(name)).toBeUndefined()
  })
})

describe('METHODS', () => {
  it('are of the three namespaces, and that of OpenRPC, each once, with dense indexes', () => {
    expect(RPC_METHODS.filter(({ name }) => !/^((eth|net|web3)_[a-zA-Z0-9]+|rpc\.discover)$/.test(name))).toEqual([])
    expect(new Set(RPC_METHODS.map(({ name }) => name)).size).toBe(RPC_METHODS.length)
    expect(RPC_METHODS.map(({ index }) => index)).toEqual(RPC_METHODS.map((_, index) => index))
  })

  it('may be repeated unless they change something or belong to a caller', () => {
    const once = RPC_METHODS.filter(({ idempotent }) => !idempotent)
    expect(once.map(({ name }) => name).toSorted()).toEqual([
      'eth_getFilterChanges',
      'eth_getFilterLogs',
      'eth_newBlockFilter',
      'eth_newFilter',
      'eth_newPendingTransactionFilter',
      'eth_sendRawTransaction',
      'eth_sendRawTransactionSync',
      'eth_subscribe',
      'eth_uninstallFilter',
      'eth_unsubscribe',
    ])
    expect(once.every(({ cache }) => cache === 'never')).toBe(true)
  })

  it('name the position of the block when their answer depends on it', () => {
    const silent = RPC_METHODS.filter(({ cache, blockParam }) => (cache === 'block' || cache === 'immutable') && blockParam === undefined)
    expect(silent).toEqual([])
  })
})
