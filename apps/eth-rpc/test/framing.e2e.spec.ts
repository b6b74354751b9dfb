import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { postCall, tell } from './exchange.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { SocketCaller } from './socket-caller.js'

let anvils: TestAnvils
let gateway: EthRpcUnderTest
let url: string
beforeAll(async () => {
  anvils = await startAnvils()
  gateway = await startEthRpcUnderTest(anvils.nodes.map((node) => `${node.url}+${node.webSocketUrl}`).join())
  url = await gateway.project()
})
afterAll(async () => {
  await gateway.stop()
  await anvils.stop()
})

/** What is sent, and what is answered. */
type Exchange = readonly [name: string, sent: string, answered: string]

const NOTHING = ''

const PARSE_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}'
const INVALID = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}'
const notFound = (name: string) => `{"code":-32601,"message":"the method ${name} does not exist/is not available"}`
const notArray = '{"code":-32602,"message":"non-array args"}'

/** Keccak-256 of nothing. */
const HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

// JSON-RPC 2.0 section 7, with methods of ours where one is to be answered.
const SPECIFICATION: readonly Exchange[] = [
  [
    'a call with positional parameters',
    '{"jsonrpc": "2.0", "method": "web3_sha3", "params": ["0x"], "id": 1}',
    `{"jsonrpc":"2.0","id":1,"result":"${HASH}"}`,
  ],
  // Methods of Ethereum have positional parameters only.
  [
    'a call with named parameters',
    '{"jsonrpc": "2.0", "method": "web3_sha3", "params": {"data": "0x"}, "id": 3}',
    `{"jsonrpc":"2.0","id":3,"error":${notArray}}`,
  ],
  ['a notification', '{"jsonrpc": "2.0", "method": "web3_sha3", "params": ["0x"]}', NOTHING],
  ['a notification of what does not exist', '{"jsonrpc": "2.0", "method": "foobar"}', NOTHING],
  ['a notification with named parameters', '{"jsonrpc": "2.0", "method": "web3_sha3", "params": {"data": "0x"}}', NOTHING],
  [
    'a call of what does not exist',
    '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
    `{"jsonrpc":"2.0","id":"1","error":${notFound('foobar')}}`,
  ],
  ['a call with invalid JSON', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', PARSE_ERROR],
  ['a call that is none', '{"jsonrpc": "2.0", "method": 1, "params": "bar"}', INVALID],
  [
    'a batch with invalid JSON',
    '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
    PARSE_ERROR,
  ],
  ['an empty batch', '[]', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}'],
  ['a batch of what is no call', '[1]', `[${INVALID}]`],
  ['a batch of much that is no call', '[1,2,3]', `[${INVALID},${INVALID},${INVALID}]`],
  [
    'a batch of all kinds',
    `[{"jsonrpc": "2.0", "method": "web3_sha3", "params": ["0x"], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "eth_chainId", "params": [], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "net_version", "id": "9"}]`,
    `[{"jsonrpc":"2.0","id":"1","result":"${HASH}"},{"jsonrpc":"2.0","id":"2","result":"0x7a69"},${INVALID},{"jsonrpc":"2.0","id":"5","error":${notArray}},{"jsonrpc":"2.0","id":"9","result":"31337"}]`,
  ],
  [
    'a batch of notifications',
    '[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]',
    NOTHING,
  ],
]

const refused = (id: number) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"invalid request"}}`
const tooLarge = (id: number | null) => `[{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"batch too large"}}]`
const many = (first: string) => `[${[first, ...Array.from({ length: 1000 }, () => '{"jsonrpc":"2.0","method":"eth_chainId"}')].join()}]`

// geth's rpc/testdata, with methods of ours for those of its tests.
const GETH: readonly Exchange[] = [
  ['invalid-badid: an array', '{"id":[],"method":"test_foo"}', INVALID],
  ['invalid-badid: an object', '{"id":{},"method":"test_foo"}', INVALID],
  [
    'invalid-badversion: the right one',
    '{"jsonrpc":"2.0","id": 1,"method":"eth_chainId","params":[]}',
    '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}',
  ],
  ['invalid-badversion: 2.1', '{"jsonrpc":"2.1","id": 1,"method":"eth_chainId","params":[]}', refused(1)],
  ['invalid-badversion: a name', '{"jsonrpc":"go-ethereum","id": 1,"method":"eth_chainId","params":[]}', refused(1)],
  ['invalid-badversion: 1', '{"jsonrpc": 1,"id": 1,"method":"eth_chainId","params":[]}', refused(1)],
  ['invalid-badversion: a number', '{"jsonrpc": 2.0,"id": 1,"method":"eth_chainId","params":[]}', refused(1)],
  ['invalid-badversion: none', '{"id": 1,"method":"eth_chainId","params":[]}', refused(1)],
  // geth's test sets its limit to 4, and says no more than that it is too large.
  ['invalid-batch-toolarge: notifications', many('{"jsonrpc":"2.0","method":"eth_chainId"}'), tooLarge(null)],
  [
    'invalid-batch-toolarge: with a call',
    many('{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","id":3,"method":"eth_chainId"}'),
    tooLarge(3),
  ],
  ['invalid-batch: null', '[null]', `[${INVALID}]`],
  [
    'invalid-batch: among calls',
    '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]},55,{"jsonrpc":"2.0","id":2,"method":"unknown_method"},{"foo":"bar"}]',
    `[{"jsonrpc":"2.0","id":1,"result":"0x7a69"},${INVALID},{"jsonrpc":"2.0","id":2,"error":${notFound('unknown_method')}},${INVALID}]`,
  ],
  ['invalid-idonly', '{"id":1}', refused(1)],
  ['invalid-idonly: with a version', '{"jsonrpc":"2.0","id":1}', refused(1)],
  ['invalid-nonobj: a number', '1', INVALID],
  ['invalid-nonobj: null', 'null', INVALID],
  // The words of geth over HTTP; over other transports it has those of its JSON library.
  ['invalid-syntax', "'f", PARSE_ERROR],
  ['reqresp-batch: notifications', '[{"jsonrpc":"2.0","method":"eth_chainId","params":[]}]', NOTHING],
  [
    'reqresp-batch',
    '[{"jsonrpc":"2.0","id":2,"method":"web3_sha3","params":[]}, {"jsonrpc":"2.0","id": 3,"method":"web3_sha3","params":["0x"]}]',
    `[{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"missing value for required argument 0"}},{"jsonrpc":"2.0","id":3,"result":"${HASH}"}]`,
  ],
  [
    'reqresp-echo: an argument too few',
    '{"jsonrpc": "2.0", "id": 2, "method": "web3_sha3", "params": []}',
    '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"missing value for required argument 0"}}',
  ],
  [
    'reqresp-echo: an argument too many',
    '{"jsonrpc": "2.0", "id": 2, "method": "web3_sha3", "params": ["0x", 3]}',
    '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"too many arguments, want at most 1"}}',
  ],
  [
    'reqresp-namedparam',
    '{"jsonrpc":"2.0","method":"web3_sha3","params":{"int":23},"id":3}',
    `{"jsonrpc":"2.0","id":3,"error":${notArray}}`,
  ],
  [
    'reqresp-noargsrets: null is a result',
    `{"jsonrpc": "2.0", "id": "foo", "method": "eth_getTransactionReceipt", "params": ["0x${'12'.repeat(32)}"]}`,
    '{"jsonrpc":"2.0","id":"foo","result":null}',
  ],
  [
    'reqresp-nomethod',
    '{"jsonrpc": "2.0", "id": 2, "method": "invalid_method", "params": [2, 3]}',
    `{"jsonrpc":"2.0","id":2,"error":${notFound('invalid_method')}}`,
  ],
  ['reqresp-noparam', '{"jsonrpc":"2.0","method":"eth_chainId","id":3}', '{"jsonrpc":"2.0","id":3,"result":"0x7a69"}'],
  ['reqresp-paramsnull', '{"jsonrpc":"2.0","method":"eth_chainId","params":null,"id":3}', '{"jsonrpc":"2.0","id":3,"result":"0x7a69"}'],
  // Nodes may call their clients back, in geth's tests; here nobody has asked for an answer.
  ['revcall: an answer', '{"jsonrpc":"2.0","id":1,"result":"my result"}', refused(1)],
]

describe.each([
  ['the examples of JSON-RPC 2.0', SPECIFICATION],
  ['the exchanges of geth', GETH],
])('%s', (_, exchanges) => {
  it.each(exchanges)('%s, over HTTP', async (_name, sent, answered) => {
    const { status, headers, text } = await postCall(url, sent)
    expect(text).toBe(answered)
    // geth has 200 for nothing, too.
    expect(status).toBe(answered === NOTHING ? 204 : 200)
    expect(headers.get('content-type')).toBe(answered === NOTHING ? null : 'application/json')
  })

  it.each(exchanges)('%s, over a WebSocket', async (_name, sent, answered) => {
    const due = answered === NOTHING ? [] : [answered]
    expect(await tell(url, sent, due.length)).toEqual(due)
  })
})

it('a subscription notifies while other calls are answered (geth: subscription)', async () => {
  const caller = await SocketCaller.open(url)
  const heads = await caller.subscribe<{ number: string }>('newHeads')
  await anvils.mine(5)
  await eventually(() => heads.length === 5 || undefined, 'all blocks are told')
  expect(heads.map(({ number }) => number)).toEqual(['0x1', '0x2', '0x3', '0x4', '0x5'])
  expect(await caller.ask('eth_chainId')).toBe('0x7a69')
  caller.close()
})
