import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { callOf, type PostedAnswer, postCall } from './exchange.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'

const CALL = callOf('eth_chainId')
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'
const MAX_BYTES = 5 * 1024 * 1024
const PAGE = { origin: 'https://app.example' }
const OTHER_PAGE = { origin: 'https://other.example' }

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

describe('a body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json-rpc', 'application/jsonrequest'])(
    'of type %s is read',
    async (type) => {
      expect(await postCall(url, CALL, { 'content-type': type })).toMatchObject({ status: 200, text: ANSWER })
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', 'json', ''])(
    'of type %s is refused',
    async (type) => {
      const refused = await postCall(url, CALL, { 'content-type': type })
      expect(refusalOf(refused)).toEqual([415, -32600])
      expect(refused.text).toContain('send the header Content-Type: application/json')
    },
  )

  it('that is compressed is refused', async () => {
    expect(refusalOf(await postCall(url, gzipSync(CALL), { 'content-encoding': 'gzip' }))).toEqual([415, -32600])
  })

  it('may be as large as geth allows, and no larger', async () => {
    const { status, text } = await postCall(url, CALL.padEnd(MAX_BYTES))
    expect({ status, text }).toEqual({ status: 200, text: ANSWER })
    expect(refusalOf(await postCall(url, CALL.padEnd(MAX_BYTES + 1)))).toEqual([413, -32005])
  })

  it('of unknown length may not be larger either', async () => {
    const body = new Blob([CALL.padEnd(MAX_BYTES + 1)]).stream()
    const sent = fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' } as RequestInit)
    // The answer may come, and the connection end, before all of it is sent.
    expect(await sent.then(({ status }) => status).catch(() => 413)).toBe(413)
    expect(await postCall(url, CALL)).toMatchObject({ status: 200 })
  })
})

describe('a request', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'GET'])('by %s is told which methods are allowed', async (method) => {
    const answer = await fetch(url, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  })

  it('by HEAD is told the same, without a body', async () => {
    const answer = await fetch(url, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([405, ''])
  })

  it.each(['/', '?a=b', '/?a=b'])('to the path with %s appended is the same', async (end) => {
    expect(await postCall(`${url}${end}`, CALL)).toMatchObject({ status: 200, text: ANSWER })
  })

  it('to the path of the ingress is the same', async () => {
    expect(await postCall(url.replace('/v1/', '/eth/v1/'), CALL)).toMatchObject({ status: 200, text: ANSWER })
  })

  it.each([
    ['is unknown', '0'.repeat(32)],
    ['is none', 'x'],
    ['is too long', 'f'.repeat(5000)],
    ['leads elsewhere', '..%2fprojects'],
    ['is a query', "'%20or%201=1"],
    ['is a member of every object', '__proto__'],
  ])('to a project whose id %s is refused', async (_, id) => {
    expect(refusalOf(await postCall(`${gateway.service.url}/v1/${id}`, CALL))).toEqual([404, -32016])
  })

  it('to the id of a project in upper case is refused', async () => {
    expect(
      refusalOf(
        await postCall(
          url.replace(/\w+$/, (id) => id.toUpperCase()),
          CALL,
        ),
      ),
    ).toEqual([404, -32016])
  })

  it('gets the headers of every answer', async () => {
    const { headers, text } = await postCall(url, CALL, { 'x-request-id': 'from-the-caller' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-length': String(text.length),
      'x-request-id': 'from-the-caller',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it.each(['1.0', '1.1'])('that closes the connection is answered over HTTP/%s', async (version) => {
    expect(await speak(`POST ${new URL(url).pathname} HTTP/${version}`, CALL)).toContain(ANSWER)
  })
})

describe('an answer', () => {
  const LONG = `[${Array.from({ length: 1000 }, (_, id) => callOf('eth_chainId', [], id)).join()}]`

  it.each(['gzip', 'br, gzip;q=0.5', '*', 'deflate, GZIP'])(
    'is compressed where it is long and the client accepts %s',
    async (accepted) => {
      const plain = await postCall(url, LONG, { 'accept-encoding': 'identity' })
      const compressed = await postCall(url, LONG, { 'accept-encoding': accepted })
      expect(compressed.headers.get('content-encoding')).toBe('gzip')
      expect(Number(compressed.headers.get('content-length'))).toBeLessThan(plain.text.length / 5)
      expect(compressed.headers.get('vary')).toContain('accept-encoding')
      expect(compressed.text).toBe(plain.text)
    },
  )

  it.each(['identity', 'br', 'gzip;q=0', '*;q=0', ''])('is sent as it is where the client accepts %j', async (accepted) => {
    const { headers, text } = await postCall(url, LONG, { 'accept-encoding': accepted })
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'accept-encoding'])
    expect(Number(headers.get('content-length'))).toBe(text.length)
  })

  it('is sent as it is where it is short', async () => {
    const { headers, text } = await postCall(url, CALL, { 'accept-encoding': 'gzip' })
    expect([headers.get('content-encoding'), headers.get('vary'), text]).toEqual([null, null, ANSWER])
  })
})

describe('a page', () => {
  let own: string
  beforeAll(async () => {
    own = await gateway.project({ allowedOrigins: [PAGE.origin] })
  })

  it('may send a preflight request', async () => {
    const { status, headers } = await preflight(url, PAGE.origin)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('authorization'),
      'access-control-max-age': '7200',
    })
    expect(headers['access-control-allow-headers']).toContain('content-type')
  })

  it('gets the origin of a project that restricts its origins', async () => {
    expect((await preflight(own, PAGE.origin)).headers).toMatchObject({ 'access-control-allow-origin': PAGE.origin, vary: 'origin' })
    const { status, headers } = await preflight(own, OTHER_PAGE.origin)
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([204, undefined, 'origin'])
  })

  it('does not learn from a preflight that a project does not exist', async () => {
    const { status, headers } = await preflight(`${gateway.service.url}/v1/${'0'.repeat(32)}`, PAGE.origin)
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*'])
  })

  it.each<[string, number, () => Promise<PostedAnswer | Response>]>([
    ['an answer', 200, () => postCall(url, CALL, PAGE)],
    ['no answer', 204, () => postCall(url, '{"jsonrpc":"2.0","method":"eth_chainId"}', PAGE)],
    ['an error', 200, () => postCall(url, '{', PAGE)],
    ['an unknown project', 404, () => postCall(`${gateway.service.url}/v1/${'0'.repeat(32)}`, CALL, PAGE)],
    ['another method', 405, () => fetch(url, { headers: PAGE })],
    ['another type', 415, () => postCall(url, CALL, { ...PAGE, 'content-type': 'text/plain' })],
    ['too large a body', 413, () => postCall(url, ' '.repeat(MAX_BYTES + 1), PAGE)],
    ['a missing token', 401, async () => postCall(await gateway.project({ requireToken: true }), CALL, PAGE)],
    ['a limit', 429, async () => postCall(await spent(), callOf('eth_blockNumber'), PAGE)],
  ])('can read %s', async (_, status, exchange) => {
    const answer = await exchange()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
  })

  it('can read the answers of its own project, refusals too', async () => {
    const { status, headers } = await postCall(own, CALL, PAGE)
    expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([200, PAGE.origin, 'origin'])
    const limited = await spent({ allowedOrigins: [PAGE.origin] })
    const refused = await postCall(limited, callOf('eth_blockNumber'), PAGE)
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, PAGE.origin])
  })

  it('is refused where the project allows other origins', async () => {
    const answer = await postCall(own, CALL, OTHER_PAGE)
    expect(refusalOf(answer)).toEqual([403, -32016])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

/** Its status, and the code of an error that is about no call. */
function refusalOf({ status, text }: PostedAnswer): [number, number] {
  const { jsonrpc, id, error } = JSON.parse(text)
  expect({ jsonrpc, id }).toEqual({ jsonrpc: '2.0', id: null })
  return [status, error.code]
}

async function preflight(at: string, origin: string) {
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,authorization' }
  const answer = await fetch(at, { method: 'OPTIONS', headers })
  expect(await answer.text()).toBe('')
  return { status: answer.status, headers: Object.fromEntries(answer.headers) }
}

/** A project that has used up what it may. */
async function spent(settings: object = {}): Promise<string> {
  const project = await gateway.project({ limits: { perSecond: 1 }, ...settings })
  await postCall(project, callOf('eth_estimateGas', [{}]), PAGE)
  return project
}

/** All that is answered on a connection of its own, until it is closed. */
async function speak(line: string, body: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `${line}\r\nHost: ${hostname}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe('the reference of JSON-RPC', () => {
  it('is the same over HTTP and for rpc.discover, and every example of it can be called', async () => {
    const { result } = JSON.parse((await postCall(url, callOf('rpc.discover'))).text)
    expect(await (await fetch(new URL('/openrpc.json', url))).json()).toEqual(result)
    const { paths } = (await (await fetch(new URL('/openapi.json', url))).json()) as ApiReference
    const { examples } = paths['/v1/{project}'].post.requestBody.content['application/json']
    const answers = await Promise.all(
      Object.entries(examples).map(async ([name, { value }]) => [name, (await postCall(url, JSON.stringify(value))).text] as const),
    )
    // A node may lack a method, but no call is malformed.
    expect(answers.filter(([, text]) => ![undefined, -32601, -32000].includes(JSON.parse(text).error?.code))).toEqual([])
    expect(answers.length).toBeGreaterThan(30)
  })
})

interface ApiReference {
  readonly paths: {
    readonly '/v1/{project}': {
      readonly post: {
        readonly requestBody: {
          readonly content: { readonly 'application/json': { readonly examples: Record<string, { value: object }> } }
        }
      }
    }
  }
}
