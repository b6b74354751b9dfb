import { callOf, postCall, tell } from './exchange.js'
import { startFaultyStage, UNLIMITED } from './faulty-stage.js'
import { callRpc, resultOfRpc, type TestRpcResponse } from './json-rpc.js'
import { type SoundnessStage, staysHealthy } from './soundness.js'

const SOMEBODY = `0x${'12'.repeat(20)}`

let stage: SoundnessStage
let url: string
beforeAll(async () => {
  stage = await startFaultyStage()
  url = stage.url
})
staysHealthy(() => stage)
afterAll(() => stage.stop())

describe('a method is refused', () => {
  it.each([
    ...[
      'admin_peers',
      'clique_getSigners',
      'db_getString',
      'debug_traceTransaction',
      'engine_newPayloadV3',
      'les_serverInfo',
      'miner_start',
    ],
    ...[
      'personal_unlockAccount',
      'shh_version',
      'testing_buildBlockV1',
      'trace_block',
      'txpool_content',
      'wallet_addEthereumChain',
      'rpc_modules',
    ],
    ...[
      'anvil_setBalance',
      'anvil_mine',
      'evm_mine',
      'evm_snapshot',
      'hardhat_setBalance',
      'hardhat_reset',
      'ots_getApiLevel',
      'tenderly_setBalance',
    ],
    ...[
      'eth_sendTransaction',
      'eth_sign',
      'eth_signTransaction',
      'eth_signTypedData_v4',
      'eth_getWork',
      'eth_submitWork',
      'eth_compileSolidity',
    ],
    ...['eth_sendUnsignedTransaction', 'eth_sendRawTransactionConditional', 'web_noSuch', 'web3_noSuch', 'net_noSuch', 'eth_', 'eth'],
  ])('that is not public: %s', async (method) => {
    expect(await callRpc(url, method)).toMatchObject({ status: 200, error: { code: -32601 } })
  })

  it.each([
    ...[
      'ETH_BLOCKNUMBER',
      'Eth_blockNumber',
      'eth_blocknumber',
      'eth_blockNumber ',
      ' eth_blockNumber',
      'eth_blockNumber\n',
      'eth_blockNumber\0',
    ],
    ...[
      'eth_block\u200bNumber',
      '\u0435th_blockNumber',
      'eth.blockNumber',
      'eth/blockNumber',
      'eth_blockNumber,eth_sign',
      '["eth_blockNumber"]',
    ],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'eth_subscription'],
  ])('that only resembles a served one: %j', async (method) => {
    expect(await callRpc(url, method)).toMatchObject({ status: 200, error: { code: -32601 } })
  })

  it('in a short error when its name is a megabyte long', async () => {
    const { status, text } = await postCall(url, callOf('eth_'.repeat(250_000)))
    expect(status).toBe(200)
    expect(text.length).toBeLessThan(200)
  })

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","method":"anvil_mine"}',
    '{"jsonrpc":"2.0","id":1,"method":"anvil_mine","method":"eth_blockNumber"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","\\u006dethod":"anvil_mine"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":[],"params":["0x0","latest"]}',
    '{"jsonrpc":"2.0","id":1,"jsonrpc":"2.0","method":"eth_blockNumber"}',
  ])('when it is given twice, whichever comes first: %s', async (body) => {
    expect(JSON.parse((await postCall(url, body)).text)).toMatchObject({ id: null, error: { code: -32600 } })
  })

  it('hidden in members such as __proto__', async () => {
    const { text } = await postCall(
      url,
      '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","__proto__":{"method":"anvil_mine"},"constructor":1}',
    )
    expect(JSON.parse(text).result).toBe('0x7a69')
    expect(({} as { method?: unknown }).method).toBeUndefined()
  })

  it('that needs a WebSocket, without one: eth_subscribe', async () => {
    expect(await callRpc(url, 'eth_subscribe', 'newHeads')).toMatchObject({
      status: 200,
      error: { code: -32601, message: 'notifications not supported' },
    })
  })

  it('that ends a subscription, without a WebSocket: in the words of geth', async () => {
    const refused = { status: 200, error: { code: -32000, message: 'subscription not found' } }
    expect(await callRpc(url, 'eth_unsubscribe', '0x1')).toMatchObject(refused)
  })

  it('but not the alias of a served one', async () => {
    expect(await resultOfRpc(url, 'web_clientVersion')).toBe(await resultOfRpc(url, 'web3_clientVersion'))
    expect(await resultOfRpc(url, 'web_sha3', '0x')).toBe(await resultOfRpc(url, 'web3_sha3', '0x'))
  })
})

describe('a body', () => {
  it.each([
    ['of nothing', '', -32700],
    ['of space', ' \n\t', -32700],
    ['of half a call', '{', -32700],
    ['with something behind', `${callOf('eth_chainId')} x`, -32700],
    ['with a comment', `${callOf('eth_chainId')} // x`, -32700],
    ['with bytes that are no text', Buffer.from([0x22, 0xff, 0xfe, 0x22]), -32700],
    ['in another encoding', Buffer.from(callOf('eth_chainId'), 'utf16le'), -32700],
    ['with a byte order mark', `\ufeff${callOf('eth_chainId')}`, -32700],
    ['with a number that is none', '{"jsonrpc":"2.0","id":NaN,"method":"eth_chainId"}', -32700],
    ['as deep as it is long', '['.repeat(1_000_000), -32700],
    ['as deep, and complete', '['.repeat(500_000) + ']'.repeat(500_000), -32600],
    ['of a text', '"eth_chainId"', -32600],
    ['of a truth', 'true', -32600],
    ['of a batch in a batch', '[[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]]', -32600],
    [
      'of ten thousand calls',
      `[${Array(10_000)
        .fill(callOf('eth_getBalance', [SOMEBODY, 'latest']))
        .join()}]`,
      -32600,
    ],
  ])('%s is refused', async (_, body, code) => {
    const { status, text } = await postCall(url, body)
    expect(status).toBe(200)
    expect([JSON.parse(text)].flat()).toMatchObject([{ error: { code } }])
    expect([(await tell(url, body, 1)).map((each) => JSON.parse(each))].flat(2)).toMatchObject([{ error: { code } }])
  })

  it.each([
    ...[
      '0',
      '-1',
      '1.5',
      '1e400',
      '9007199254740993',
      '-0',
      '"0d0f9b30-1b2c-4b6e-9d1c-0e8a6c1f7a11"',
      '""',
      '"\\ud800"',
      '"\\u0000"',
      'null',
    ],
    `"${'x'.repeat(100_000)}"`,
  ])('with the id %.40s gets it back byte for byte', async (id) => {
    const { text } = await postCall(url, `{"jsonrpc":"2.0","id":${id},"method":"eth_getBalance","params":["${SOMEBODY}","latest"]}`)
    expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":"0x0"}`)
  })

  it.each(['{}', '[]', 'true', 'false', '[1]', '{"id":1}'])('with the id %s is refused', async (id) => {
    const { text } = await postCall(url, `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`)
    expect(JSON.parse(text)).toMatchObject({ id: null, error: { code: -32600 } })
  })

  it('of a hundred calls with one id is answered in their order', async () => {
    const batch = Array.from({ length: 100 }, (_, i) => callOf('web3_sha3', [`0x${i.toString(16).padStart(2, '0')}`], 7))
    const alone = await Promise.all(batch.map(async (call) => JSON.parse((await postCall(url, call)).text)))
    expect(JSON.parse((await postCall(url, `[${batch.join()}]`)).text)).toEqual(alone)
  })

  it('of good and bad calls is answered call by call', async () => {
    const calls = [
      callOf('eth_chainId'),
      callOf('anvil_mine'),
      '1',
      callOf('eth_getBalance', ['0x', 'Latest']),
      callOf('eth_call', [{ to: 'x' }, 'latest']),
    ]
    const { status, text } = await postCall(url, `[${calls.join()}]`)
    const codes = (JSON.parse(text) as TestRpcResponse[]).map(({ error }) => error?.code)
    expect([status, codes]).toEqual([200, [undefined, -32601, -32600, -32602, -32602]])
  })
})

it('answers to concurrent equal calls have the ids of their callers', async () => {
  const other = await stage.gateway.project(UNLIMITED)
  const calls = Array.from({ length: 200 }, (_, i) => [i % 2 ? url : other, `"caller ${i}"`] as const)
  const call = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"eth_getProof","params":["${stage.token}",[],"latest"]}`
  const answers = await Promise.all(calls.map(([at, id]) => postCall(at, call(id))))
  expect(answers.map(({ text }) => text.split(',')[1])).toEqual(calls.map(([, id]) => `"id":${id}`))
  expect(new Set(answers.map(({ text }) => text.slice(text.indexOf('"result"')))).size).toBe(1)
})

it('what does not exist yet is not cached', async () => {
  const raw = await stage.sign()
  const hash = await resultOfRpc<string>(url, 'eth_sendRawTransaction', raw)
  expect(await resultOfRpc(url, 'eth_getTransactionReceipt', hash)).toBeNull()
  const { number } = await stage.mine()
  expect(await resultOfRpc(url, 'eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: number })
})
