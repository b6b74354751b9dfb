import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { servedRoutes } from '@trestle/runtime/http-adapter'
import { eventually } from '@trestle/testing/eventually'
import { startDeployment, type TestDeployment } from './deployment.js'
import { FakeNode } from './fake-node.js'
import { smallChain, smallChainHash } from './small-chain.js'

const chain = smallChain(3)
const genesis = smallChainHash(chain[0]!).toString('hex')
let node: FakeNode
let deployment: TestDeployment

beforeAll(async () => {
  node = await FakeNode.start(chain)
  deployment = await startDeployment({ coin: 'btc', nodeUrl: node.url })
})

afterAll(async () => {
  await deployment.stop()
  await node.stop()
})

describe('a refusal', () => {
  it('is a problem that repeats its text as `error`', async () => {
    const { status, headers, body } = await deployment.get('/rawtx/zz')
    const detail = "parameter 1 must be of length 64 (not 2, for 'zz'). Code:-8"
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 400, type: 'application/problem+json; charset=utf-8' })
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail,
      code: 'InvalidTransactionId',
      message: detail,
      error: detail,
      requestId: expect.any(String),
    })
  })

  it.each(['text/plain', 'application/json, text/plain, */*', 'TEXT/PLAIN;q=0.5'])(
    'is plain text for a client that accepts %s',
    async (accept) => {
      const { headers, text } = await deployment.get(`/rawblock/zz`, { headers: { accept } })
      expect({ type: headers.get('content-type'), text }).toEqual({ type: 'text/plain; charset=utf-8', text: 'Not found' })
    },
  )

  it.each(['text/html', 'application/json', '*/*', 'text/plain;q=0', 'text/plainer'])(
    'is a problem for a client that accepts %s',
    async (accept) => {
      const { headers } = await deployment.get(`/rawblock/zz`, { headers: { accept } })
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    },
  )

  it('has the same format for an unknown route and a malformed path', async () => {
    expect((await deployment.get('/nothing')).body).toMatchObject({ status: 404, error: 'There is nothing at this path.' })
    expect((await deployment.get('/rawtx/%zz')).body).toMatchObject({ status: 400, error: 'The path is not well-formed.' })
  })
})

describe('a token', () => {
  it('is required, of a client or an account', async () => {
    const { issuer } = deployment.accounts
    expect(await deployment.get('/version', { token: issuer.client() })).toMatchObject({ status: 200 })
    expect(await deployment.get('/version', { token: issuer.account() })).toMatchObject({ status: 200 })
    const without = await deployment.get('/version', { token: null })
    expect(without).toMatchObject({ status: 401, body: { code: 'MissingToken' } })
    expect(without.headers.get('www-authenticate')).toBe('Bearer realm="trestle"')
    expect(await deployment.get('/version', { token: 'garbage' })).toMatchObject({ status: 401, body: { code: 'InvalidToken' } })
  })

  it('of another area is refused', async () => {
    const token = deployment.accounts.issuer.client({ payload: { aud: ['nodes'], scope: 'nodes' } })
    expect(await deployment.get('/version', { token })).toMatchObject({ status: 401, body: { code: 'InvalidToken' } })
  })

  it('that has expired is refused in the words that older clients compare', async () => {
    const now = Math.floor(Date.now() / 1000)
    const token = deployment.accounts.issuer.client({ payload: { iat: now - 7200, nbf: now - 7200, exp: now - 3600 } })
    const json = await deployment.get('/version', { token })
    expect(json).toMatchObject({ status: 401, body: { code: 'TokenExpired', detail: 'The access token expired.' } })
    expect(json.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await deployment.get('/version', { token, headers: { accept: 'text/plain' } })).toMatchObject({
      status: 401,
      text: 'jwt expired',
    })
  })
})

describe('a page of another origin', () => {
  it('may send a preflight request without a token', async () => {
    const { status, headers, text } = await deployment.call('OPTIONS', '/api/v1/addrs/utxo', { token: null })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT, POST, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(headers.get('access-control-allow-headers')).toContain('Trestle-Organization')
  })

  it('can read responses and refusals', async () => {
    for (const answer of [
      await deployment.get('/version'),
      await deployment.get('/version', { token: null }),
      await deployment.get('/nothing'),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Total-Count')
    }
  })
})

describe('a path', () => {
  it.each(['/api/v1/version', '/api/version', '/btc/api/v1/version', '/btc/api/version', '/api/version/', '/api/version?x=1'])(
    'can be %s',
    async (path) => {
      expect(await deployment.call('GET', path)).toMatchObject({ status: 200, body: { chain: 'btc' } })
    },
  )

  it.each(['/version', '/api/v2/version', '/api', '/apis/version'])('cannot be %s', async (path) => {
    expect(await deployment.call('GET', path)).toMatchObject({ status: 404 })
  })
})

describe('compression', () => {
  // Any block will do: this one's hex is longer than a packet.
  const long = `/rawblock/${genesis}`

  beforeAll(() => {
    const padded = Buffer.concat([chain[0]!, Buffer.alloc(2000)])
    node.blockFor = () => padded
  })

  it('is used for long responses to clients that accept it', async () => {
    const plain = await raw(long, 'identity')
    const zipped = await raw(long, 'gzip, deflate, br')
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
    expect(zipped.body.length).toBeLessThan(plain.body.length / 2)
    expect(Number(zipped.headers['content-length'])).toBe(zipped.body.length)
    expect(zipped.headers.etag).toBe(`W/${plain.headers.etag}`)
  })

  it.each(['', 'br', 'gzip;q=0', 'identity', 'gzip;q=0.0, *'])('is not used for a client that accepts "%s"', async (coding) => {
    expect((await raw(long, coding)).headers['content-encoding']).toBeUndefined()
  })

  it('is not used for short responses', async () => {
    const { headers } = await raw('/version', 'gzip')
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).toBeUndefined()
  })

  it('is counted by the activity record', async () => {
    const { body } = await raw(
      long,
      'gzip',
      deployment.accounts.issuer.client({ payload: { sub: 'user-00000000-0000-4000-8000-000000000002' } }),
    )
    await expect(recordedBytes('user-00000000-0000-4000-8000-000000000002')).resolves.toBe(body.length)
  })
})

it('serves exactly what it documents', async () => {
  const { body } = await deployment.call('GET', '/openapi.json', { token: null })
  const documented = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = servedRoutes(deployment.service.app).map(({ method, path }) => `${method} ${path}`)
  expect(served.sort()).toEqual(documented.sort())
})

describe('the replicas', () => {
  it('with the role indexer serve their health and nothing else', async () => {
    const replica = await deployment.replica({ ROLE: 'indexer' })
    expect((await fetch(`${replica.internalUrl}/livez`)).status).toBe(200)
    expect((await fetch(`${replica.internalUrl}/readyz`)).status).toBe(200)
    const headers = { authorization: `Bearer ${deployment.accounts.issuer.client()}` }
    expect((await fetch(`${replica.url}/api/v1/version`, { headers })).status).toBe(404)
    await replica.stop()
  })

  it('with the role api hold no lease', async () => {
    const before = await deployment.sql.query('SELECT name, epoch FROM lease ORDER BY name')
    const replica = await deployment.replica({ ROLE: 'api' })
    await eventually(async () => (await fetch(`${replica.internalUrl}/readyz`)).ok || undefined, 'the replica is ready')
    const headers = { authorization: `Bearer ${deployment.accounts.issuer.client()}` }
    expect((await fetch(`${replica.url}/api/v1/version`, { headers })).status).toBe(200)
    await replica.stop()
    expect((await deployment.sql.query('SELECT name, epoch FROM lease ORDER BY name')).rows).toEqual(before.rows)
  })
})

/** A request whose answer nobody unpacks on the way. */
async function raw(path: string, coding: string, token = deployment.accounts.issuer.client()) {
  const { promise, resolve, reject } = Promise.withResolvers<{ headers: Record<string, unknown>; body: Buffer }>()
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': coding }
  request(`${deployment.url}/api/v1${path}`, { headers, agent: false }, async (response) => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    resolve({ headers: response.headers, body: Buffer.concat(chunks) })
  })
    .on('error', reject)
    .end()
  return promise
}

async function recordedBytes(user: string): Promise<number> {
  for (;;) {
    const activity = deployment.accounts.activities.find((each) => each.user === user)
    if (activity) return activity.output.bytesOut
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
