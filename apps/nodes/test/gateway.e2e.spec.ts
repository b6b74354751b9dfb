import { callJson, type JsonReply } from '@trestle/testing/call-json'
import { basic, callMachine, type GatewayUnderTest, type Held, postToGateway, startGateway } from './gateway/gateway-under-test.js'
import { type RecordingMachine, startRecordingMachine } from './gateway/recording-machine.js'
import { rawRequest, refusalOf } from './gateway/requests.js'

const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'

let gateway: GatewayUnderTest
let machine: RecordingMachine
let node: Held
let bitcoin: Held

beforeAll(async () => {
  ;[gateway, machine] = await Promise.all([startGateway(), startRecordingMachine()])
  node = await gateway.node(machine)
  bitcoin = await gateway.node({ url: machine.url, password: 'p:w' }, { chain: 'ltc', network: 'mainnet' })
})
beforeEach(() => machine.answers())
afterAll(async () => {
  await gateway.stop()
  await machine.stop()
})

describe('a call', () => {
  it('goes on as it came, without anything of the caller but its body', async () => {
    const body = '{ "jsonrpc":"2.0", "id":1.0, "method":"eth_getBalance", "params":["0x1",12345678901234567890] }'
    const { authorization } = node
    const {
      status,
      headers,
      body: told,
    } = await postToGateway(node.url, body, { authorization, cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', te: 'trailers' })
    expect([status, headers.get('content-type'), told.result]).toEqual([200, 'application/json', 'eth_getBalance'])
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    const [received] = machine.received
    expect(received).toMatchObject({ method: 'POST', url: '/', body })
    expect(Object.keys(received?.headers ?? {}).sort()).toEqual(['content-length', 'content-type', 'host'])
  })

  it('reaches a Bitcoin node with the credentials of the gateway', async () => {
    expect((await callMachine(bitcoin, 'getblockcount')).status).toBe(200)
    expect(machine.received[0]?.headers.authorization).toBe(basic('trestle', 'p:w'))
  })

  it('is answered by whatever the node says, without its headers', async () => {
    machine.answers((response) =>
      response
        .writeHead(500, { 'content-type': 'application/json', 'set-cookie': 'a=b', server: 'x', 'www-authenticate': 'y' })
        .end('{"error":{"code":-8}}'),
    )
    const { status, headers, text } = await callMachine(bitcoin, 'getblockhash', -1)
    expect([status, text]).toEqual([500, '{"error":{"code":-8}}'])
    for (const name of ['set-cookie', 'server', 'www-authenticate']) expect(headers.get(name)).toBeNull()
  })

  it('of any size up to a mebibyte is passed on, and no larger one', async () => {
    const sized = (bytes: number) => `{"id":1,"method":"sendrawtransaction","params":["${'a'.repeat(bytes)}"]}`
    expect((await postToGateway(bitcoin.url, sized(1_000_000))).status).toBe(401)
    expect((await postToGateway(bitcoin.url, sized(1_000_000), { authorization: bitcoin.authorization })).body.result).toBe(
      'sendrawtransaction',
    )
    const tooLarge = await postToGateway(bitcoin.url, sized(1_100_000), { authorization: bitcoin.authorization })
    expect(refusalOf(tooLarge)).toEqual([413, 'BodyTooLarge'])
    expect(tooLarge.body.detail).toBe('The body is larger than 1048576 bytes; send less in one request.')
    expect(machine.received).toHaveLength(1)
  })

  it('has an answer of many megabytes passed on as it comes', async () => {
    const large = 'x'.repeat(30_000_000)
    machine.answers((response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(large))
    const { status, headers, text } = await callMachine(bitcoin, 'getblock', 'a')
    expect([status, headers.get('content-type'), text === large]).toEqual([200, 'text/plain', true])
  })

  it('is taken with any content type for Bitcoin, whose own client sends none, and as JSON only for Ethereum', async () => {
    const body = '{"id":1,"method":"getblockcount","params":[]}'
    expect((await postToGateway(bitcoin.url, body, { authorization: bitcoin.authorization, 'content-type': 'text/plain;' })).status).toBe(
      200,
    )
    const wrong = await postToGateway(node.url, CALL, { authorization: node.authorization, 'content-type': 'text/plain' })
    expect(refusalOf(wrong)).toEqual([415, 'UnsupportedMediaType'])
    const packed = await postToGateway(bitcoin.url, body, { authorization: bitcoin.authorization, 'content-encoding': 'gzip' })
    expect(refusalOf(packed)).toEqual([415, 'UnsupportedMediaType'])
  })
})

describe('what is refused', () => {
  it.each([
    'stop',
    'addnode',
    'dumpprivkey',
    'getnewaddress',
    'sendtoaddress',
    'signrawtransactionwithkey',
    'submitblock',
    'generatetoaddress',
    'invalidateblock',
    'eth_chainId',
  ])('of a Bitcoin node: %s', async (method) => {
    const { status, text } = await postToGateway(bitcoin.url, `{"jsonrpc":"1.0","id":"a\\u0062","method":"${method}","params":[]}`, {
      authorization: bitcoin.authorization,
    })
    expect([status, text]).toEqual([
      403,
      `{"result":null,"error":{"code":-32601,"message":"Method not found: it is not offered here"},"id":"a\\u0062"}`,
    ])
    expect(machine.received).toEqual([])
  })

  it.each([
    'admin_peers',
    'debug_traceTransaction',
    'debug_setHead',
    'personal_unlockAccount',
    'miner_start',
    'engine_newPayloadV1',
    'eth_sendTransaction',
    'eth_sign',
    'eth_accounts',
    'anvil_setBalance',
    'evm_setAutomine',
    'ETH_chainId',
    'eth_chainId ',
    'eth_chainId​',
    'eth_subscribe',
    '__proto__',
    'stop',
  ])('of an Ethereum node: %j', async (method) => {
    const { status, body } = await callMachine(node, method)
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } }])
    expect(machine.received).toEqual([])
  })

  it('in a batch is told in its place, and the others are sent on', async () => {
    const batch = '[{"id":1,"method":"getblockcount"}, {"id":12345678901234567890,"method":"stop"},{"id":"c","method":"uptime"}, 7]'
    const { status, body, text } = await postToGateway(bitcoin.url, batch, { authorization: bitcoin.authorization })
    expect(machine.received[0]?.body).toBe('[{"id":1,"method":"getblockcount"},{"id":"c","method":"uptime"}]')
    expect([status, body]).toMatchObject([
      200,
      [{ result: 'getblockcount' }, { error: { code: -32601 } }, { result: 'uptime' }, { id: null, error: { code: -32600 } }],
    ])
    expect(text).toContain('"id":12345678901234567890')
  })

  it('alone in a batch is not asked of the node', async () => {
    const { body } = await postToGateway(
      node.url,
      '[{"jsonrpc":"2.0","id":5,"method":"admin_peers"},{"jsonrpc":"2.0","method":"debug_x"}]',
      {
        authorization: node.authorization,
      },
    )
    expect(body).toEqual([{ jsonrpc: '2.0', id: 5, error: { code: -32601, message: expect.any(String) } }])
    expect(machine.received).toEqual([])
  })

  it.each([
    ['two methods', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"admin_peers"}', -32700],
    ['two methods, one of them escaped', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","meth\\u006fd":"admin_peers"}', -32700],
    ['a method in other case', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","Method":"admin_peers"}', -32600],
    ['a method in another alphabet', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","paramſ":[]}', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['a method that is none', '{"jsonrpc":"2.0","id":1,"method":["eth_chainId"]}', -32600],
    ['a batch in a batch', '[[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]]', undefined],
    ['no JSON', '{"jsonrpc":"2.0",', -32700],
    ['nothing', '', -32700],
    ['too many calls', `[${Array(101).fill(CALL).join()}]`, -32600],
    ['no calls', '[]', -32600],
    ['too deep', `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${'['.repeat(100)}${']'.repeat(100)}}`, -32700],
  ])('by its form: %s', async (_, body, code) => {
    const { status, body: told } = await postToGateway(node.url, body, { authorization: node.authorization })
    expect(status).toBe(200)
    if (code === undefined) expect(told).toMatchObject([{ id: null, error: { code: -32600 } }])
    else expect(told).toMatchObject({ error: { code } })
    expect(machine.received).toEqual([])
  })

  it('is a WebSocket, another verb, another path', async () => {
    expect(refusalOf(await raw('GET', { connection: 'Upgrade', upgrade: 'websocket' }))).toEqual([405, 'MethodNotAllowed'])
    expect(refusalOf(await raw('POST', { connection: 'Upgrade', upgrade: 'websocket' }))).toEqual([400, 'NoWebSocket'])
    expect(refusalOf(await callJson(node.url))).toEqual([405, 'MethodNotAllowed'])
    expect(refusalOf(await postToGateway(`${node.url}/wallet/x`, CALL, { authorization: node.authorization }))).toEqual([404, 'NotFound'])
  })

  it('is a body of two lengths', async () => {
    expect((await raw('POST', { 'content-length': '10', 'transfer-encoding': 'chunked' })).status).toBe(400)
  })
})

describe('REST', () => {
  const hash = 'a'.repeat(64)
  it.each([
    `tx/${hash}.json`,
    `block/notxdetails/${hash}.hex`,
    `headers/5/${hash}.bin`,
    `headers/${hash}.json?count=5`,
    'chaininfo.json',
    `getutxos/checkmempool/${hash}-0.json`,
  ])('is passed on: %s', async (path) => {
    machine.answers((response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('here'))
    const { status, headers, text } = await callJson(`${bitcoin.url}/rest/${path}`, { headers: { authorization: bitcoin.authorization } })
    expect([status, headers.get('content-type'), text]).toEqual([200, 'application/octet-stream', 'here'])
    expect(machine.received).toMatchObject([{ method: 'GET', url: `/rest/${path}`, body: '' }])
  })

  it.each([
    '..',
    '../',
    '%2e%2e/x',
    '//',
    'tx/../chaininfo.json',
    'tx%2f..',
    'chaininfo.json/',
    'chaininfo.json?x=1',
    'chaininfo%2ejson',
    'wallet.json',
    `tx/${hash}.json%00`,
    '',
  ])('has nothing at %j', async (path) => {
    const { status } = await rawRequest(`${gateway.service.url}/rpc/${bitcoin.id}/rest/${path}`, 'GET', [
      'authorization',
      bitcoin.authorization,
    ])
    expect([404, 400]).toContain(status)
    expect(machine.received).toEqual([])
  })

  it('answers HEAD without a body, and is nothing of Ethereum', async () => {
    machine.answers((response) => response.writeHead(200, {}).end('here'))
    const head = await callJson(`${bitcoin.url}/rest/chaininfo.json`, { method: 'HEAD', headers: { authorization: bitcoin.authorization } })
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, '4', ''])
    expect(refusalOf(await callJson(`${node.url}/rest/chaininfo.json`, { headers: { authorization: node.authorization } }))).toEqual([
      404,
      'NotFound',
    ])
    expect(refusalOf(await callJson(`${bitcoin.url}/rest/chaininfo.json`))).toEqual([401, 'MissingCredentials'])
  })
})

function raw(method: string, headers: Record<string, string>): Promise<JsonReply> {
  return rawRequest(
    node.url,
    method,
    Object.entries({ authorization: node.authorization, 'content-type': 'application/json', ...headers }).flat(),
  )
}
