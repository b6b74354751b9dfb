import type { GethChain } from '../geth-chain.js'
import { bodyCall, type CorpusCall, corpusCall, each } from './corpus-call.js'

const TOTAL_SUPPLY = '0x18160ddd'

/** What the gateway answers itself, or refuses. */
export function gatewayCalls(chain: GethChain): CorpusCall[] {
  return [...ofTheNode(), ...ofSending(chain), ...ofParams(chain), ...ofUnknownMethods(chain), ...ofBodies()]
}

function ofTheNode(): CorpusCall[] {
  const same = [
    'eth_chainId',
    'eth_blockNumber',
    'eth_syncing',
    'eth_coinbase',
    'eth_mining',
    'eth_hashrate',
    'net_version',
    'net_listening',
  ]
  const own = [
    ['eth_accounts', 'keys'],
    ['net_peerCount', 'node'],
    ['web3_clientVersion', 'node'],
  ] as const
  return [
    ...each(same, (method) => [corpusCall(method), corpusCall(method, []), corpusCall(method, [1]), corpusCall(method, null)]),
    ...each(own, ([method, reason]) => [
      corpusCall(method, undefined, reason),
      corpusCall(method, [], reason),
      corpusCall(method, [1]),
      corpusCall(method, null, reason),
    ]),
    ...each([undefined, [], [1], null], (params) => corpusCall('eth_protocolVersion', params, 'old')),
    ...each([['0x'], ['0x68656c6c6f'], ['0x1'], ['68'], [], ['0x', '0x'], [5], [null]], (params) => corpusCall('web3_sha3', params)),
  ]
}

function ofSending({ waiting }: GethChain): CorpusCall[] {
  return [
    ...each(['0x', '0x00', '0x02', 'x', '0x1', waiting.slice(0, -2), `${waiting}00`], (raw) => corpusCall('eth_sendRawTransaction', [raw])),
    corpusCall('eth_sendRawTransaction', []),
    corpusCall('eth_sendRawTransaction', [5]),
  ]
}

/** One too many, one missing, one of the wrong kind. */
function ofParams({ sender, token, block, transferred }: GethChain): CorpusCall[] {
  const calls: [string, unknown[]][] = [
    ['eth_getBalance', [sender, 'latest']],
    ['eth_getCode', [token, 'latest']],
    ['eth_getTransactionCount', [sender, 'latest']],
    ['eth_getStorageAt', [token, '0x0', 'latest']],
    ['eth_getBlockByNumber', ['latest', false]],
    ['eth_getBlockByHash', [block.hash, false]],
    ['eth_getTransactionByHash', [transferred]],
    ['eth_getTransactionReceipt', [transferred]],
    ['eth_getBlockReceipts', ['latest']],
    ['eth_getBlockTransactionCountByHash', [block.hash]],
    ['eth_getHeaderByNumber', ['latest']],
    ['eth_call', [{ to: token, data: TOTAL_SUPPLY }, 'latest', {}, {}]],
    ['eth_gasPrice', []],
    ['eth_fillTransaction', [{ from: sender, to: token }]],
  ]
  const optional = new Set(['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount', 'eth_getStorageAt'])
  return each(calls, ([method, params]) => [
    corpusCall(method, [...params, 'more']),
    corpusCall(method, params.slice(0, -1), optional.has(method) ? 'optionalBlock' : undefined),
    corpusCall(method, []),
    corpusCall(method, [5, ...params.slice(1)]),
    corpusCall(method, ['0x12', ...params.slice(1)]),
    corpusCall(method, [null, ...params.slice(1)]),
  ])
}

function ofUnknownMethods({ sender, token, transferred }: GethChain): CorpusCall[] {
  const unknown = ['eth_nonsense', 'nonsense', 'ETH_CHAINID', 'eth_chainid', '_', 'eth_', 'eth.chainId', `eth_${'x'.repeat(60)}`]
  return [
    ...each(unknown, (method) => corpusCall(method, [])),
    ...each(['trace_block', 'ots_getApiLevel', 'erigon_getHeaderByNumber'], (method) => corpusCall(method, [], 'rights')),
    ...each(['admin_peers', 'personal_listAccounts', 'miner_start', 'engine_newPayloadV1'], (method) =>
      corpusCall(method, [], 'notServed'),
    ),
    ...each(['txpool_status', 'txpool_content'], (method) => corpusCall(method, [], 'rights')),
    corpusCall('debug_traceTransaction', [transferred], 'rights'),
    corpusCall('eth_sign', [sender, '0x00'], 'notServed'),
    corpusCall('eth_sendTransaction', [{ from: sender, to: token }], 'notServed'),
    corpusCall('eth_pendingTransactions', [], 'notServed'),
    corpusCall('rpc_modules', [], 'notServed'),
    corpusCall('x'.repeat(100), [], 'long'),
  ]
}

/** Bodies that are no call, or several. */
function ofBodies(): CorpusCall[] {
  const good = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}'
  const bodies = [
    ...['{', '[]', '[1]', '1', '"x"', 'null', '{}', '{"id":1}', '[{}]', '[[]]', 'nonsense', '{"jsonrpc":"2.0","id":1}'],
    ...['{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}', '{"id":1,"method":"eth_chainId"}', '{"jsonrpc":"2.0","id":1,"method":5}'],
    ...['{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', '{"jsonrpc":"2.0","id":[],"method":"eth_chainId"}'],
    ...['1e3', '1.50', '9007199254740993', '"a\\u0062"', 'null', '-1', '""'].map(
      (id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`,
    ),
    ...['{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{}}', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"x"}'],
    `[${good},${good}]`,
    `[${good},{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","id":8,"method":"eth_nonsense"},1]`,
    `[${Array(101).fill(good).join()}]`,
    `[${Array(1000).fill(good).join()}]`,
    `[${Array(1001).fill(good).join()}]`,
  ]
  const refused = ['', ' ', `${good}x`, '{"jsonrpc":"2.0","id":true,"method":"eth_chainId"}']
  return [...each(bodies, (body) => bodyCall(body)), ...each(refused, (body) => bodyCall(body, 'strict'))]
}

/** Of a project that has them. */
export function grantedCalls({ transferred, failed, sender, token, block }: GethChain): CorpusCall[] {
  const transaction = { from: sender, to: token, data: TOTAL_SUPPLY }
  return [
    ...each([transferred, failed, `0x${'1'.repeat(64)}`], (hash) => [
      corpusCall('debug_traceTransaction', [hash]),
      corpusCall('debug_traceTransaction', [hash, { tracer: 'callTracer' }]),
      corpusCall('debug_getRawTransaction', [hash]),
    ]),
    ...each(['latest', block.number, '0xffff', '0x01', 5], (number) => [
      corpusCall('debug_traceBlockByNumber', [number, { tracer: 'callTracer' }]),
      corpusCall('debug_traceCall', [transaction, number, { tracer: 'prestateTracer' }]),
      corpusCall('debug_getRawBlock', [number]),
      corpusCall('debug_getRawHeader', [number]),
      corpusCall('debug_getRawReceipts', [number]),
    ]),
    corpusCall('debug_traceBlockByHash', [block.hash]),
    ...each(['txpool_status', 'txpool_content', 'txpool_inspect'], (method) => corpusCall(method, [])),
    corpusCall('txpool_contentFrom', [sender]),
    // geth has none of these.
    corpusCall('trace_block', ['latest']),
  ]
}
