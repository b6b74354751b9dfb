import { createHmac, randomUUID } from 'node:crypto'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { providerKey, startIdentityProvider } from './identity-provider.js'
import { callManagement } from './management.js'
import { SocketCaller } from './socket-caller.js'

type Provider = Awaited<ReturnType<typeof startIdentityProvider>>

const HOUR_S = 3_600

let anvils: TestAnvils
let gateway: EthRpcUnderTest
let provider: Provider
beforeAll(async () => {
  provider = await startIdentityProvider()
  anvils = await startAnvils()
  gateway = await startEthRpcUnderTest(anvils.nodes.map(({ url, webSocketUrl }) => `anvil=${url}+${webSocketUrl}`).join())
})
afterAll(async () => {
  await gateway.stop()
  await anvils.stop()
  await provider.stop()
})

describe("a token of the provider that a project's owner has named", () => {
  it.each(['RS256', 'ES256', 'EdDSA'] as const)('signed with %s lets its bearer in, beside the tokens of the owner', async (alg) => {
    const { url } = await project()
    const token = await provider.sign({}, { key: provider.keys[alg] })
    for (let i = 0; i < 3; i++) expect(await called(url, token)).toEqual({ status: 200, result: '0x7a69' })
    expect(await called(url, gateway.token)).toEqual({ status: 200, result: '0x7a69' })
    expect(await called(url)).toMatchObject({ status: 401, message: expect.stringContaining('An access token is required') })
  })

  it('may be for several audiences, and without a key that it names, where that is the only one', async () => {
    const { url } = await project()
    expect((await called(url, await provider.sign({ aud: ['other', 'an-app'] }))).status).toBe(200)
    expect((await called(url, await provider.sign({}, { header: { kid: undefined } }))).status).toBe(200)
  })

  it.each([
    ['has expired', { exp: now() - HOUR_S }, 'it has expired'],
    ['never expires', { exp: undefined }, 'it has no expiry'],
    ['is not valid yet', { nbf: now() + HOUR_S }, 'it is not valid yet'],
    ['is for another project', { aud: 'other' }, 'it is for another audience'],
    ['is for nobody', { aud: undefined }, 'it is for another audience'],
    ['is of another issuer', { iss: 'https://evil.example' }, 'it is of another issuer'],
    ['is of no issuer', { iss: undefined }, 'it is of another issuer'],
  ])('is refused where it %s, with the reason', async (_, claims, reason) => {
    const { url } = await project()
    expect(await refusalOf(url, await provider.sign(claims))).toEqual({
      status: 401,
      code: -32016,
      message: `The access token is not valid here: ${reason}.`,
      challenge: `Bearer realm="trestle", error="invalid_token", error_description="${reason}"`,
    })
  })

  it('is refused with a signature, a key or an algorithm that is not of the provider', async () => {
    const { url } = await project()
    const [stolen, unknown] = [await providerKey('ES256', 'ec'), await providerKey('ES256', 'unknown')]
    const token = await provider.sign()
    const [head, body, signature] = token.split('.')
    const payload = Buffer.from(body ?? '', 'base64url')
      .toString()
      .replace('ada', 'eve')
    const forged = `${head}.${Buffer.from(payload).toString('base64url')}.${signature}`
    for (const [bad, reason] of [
      [await provider.sign({}, { key: stolen }), 'its signature is wrong'],
      [forged, 'its signature is wrong'],
      [await provider.sign({}, { key: unknown }), 'its key is unknown'],
      [await provider.sign({}, { header: { kid: 'x'.repeat(5_000) } }), 'its key is unknown'],
      [unsigned({ alg: 'none' }), 'it is not signed with RS256, ES256 or EdDSA'],
      [byHmac(provider.keys.RS256.jwk), 'it is not signed with RS256, ES256 or EdDSA'],
    ] as const)
      expect(await refusalOf(url, bad)).toMatchObject({ status: 401, message: `The access token is not valid here: ${reason}.` })
    expect(await refusalOf(url, 'nonsense')).toMatchObject({ status: 401, message: 'The access token is not valid here.' })
  })

  it('asks for the keys once a minute, whatever keys tokens name', async () => {
    const { url } = await project()
    await called(url, await provider.sign())
    const { fetched } = provider.state
    for (let i = 0; i < 20; i++) await called(url, await provider.sign({}, { header: { kid: randomUUID() } }))
    expect(provider.state.fetched - fetched).toBeLessThanOrEqual(1)
  })

  it('opens a WebSocket, which is closed once the project does not trust the provider any more', async () => {
    const { url, manage } = await project()
    const socket = await SocketCaller.open(url, { authorization: `Bearer ${await provider.sign()}` })
    expect(await socket.ask('eth_chainId')).toBe('0x7a69')
    await manage('PATCH', { tokens: null })
    expect(await socket.closed).toBe(1008)
    expect(await refusalOf(url, await provider.sign())).toMatchObject({ status: 401, message: 'The access token is not valid here.' })
  })

  it('is no token of the management, and none of a project that names no provider', async () => {
    const { url, id } = await project({ tokens: undefined })
    const token = await provider.sign()
    expect((await called(url, token)).status).toBe(401)
    expect((await callManagement(gateway.service, 'GET', `/projects/${id}`, { token })).status).toBe(401)
  })

  it('counts by its subject where the project limits that', async () => {
    const { url } = await project({ limits: { perCaller: 2 } })
    const [ada, bob] = [await provider.sign(), await provider.sign({ sub: 'bob' })]
    const again = await provider.sign({ jti: 'another token of the same' })
    expect([(await called(url, ada)).status, (await called(url, again)).status]).toEqual([200, 200])
    expect(await called(url, ada)).toMatchObject({
      status: 429,
      message: expect.stringContaining('one caller may send to the project a second: 2'),
    })
    expect((await called(url, bob)).status).toBe(200)
    for (let i = 0; i < 5; i++) expect((await called(url, gateway.token)).status).toBe(200)
  })

  it('is refused with 503 where its keys cannot be fetched, and lets in once they can', async () => {
    const { url } = await project({ tokens: { ...provider.tokens, jwksUrl: `https://127.0.0.1:${provider.port}/away` } })
    const { respond } = provider.state
    provider.state.respond = (_, response) => response.writeHead(500).end('a secret of the provider')
    const refused = await refusalOf(url, await provider.sign())
    expect(refused).toMatchObject({ status: 503, code: -32002, message: expect.stringContaining('it was answered with 500') })
    expect(JSON.stringify(refused)).not.toContain('secret')
    provider.state.respond = respond
    await eventually(async () => (await called(url, await provider.sign())).status === 200 || undefined, 'it is let in', 12_000)
  })

  it('is held to the keys that are published now', async () => {
    const own = await startIdentityProvider()
    try {
      const { url } = await project({ tokens: { ...own.tokens, issuer: provider.issuer } })
      expect((await refusalOf(url, await provider.sign())).message).toContain('its signature is wrong')
      expect((await called(url, await own.sign())).status).toBe(200)
    } finally {
      await own.stop()
    }
  })
})

describe('the provider of a project', () => {
  it('is shown, kept by other changes, and removed with null', async () => {
    const { manage } = await project()
    const { tokens } = provider
    expect((await manage('PATCH', { name: 'other' })).body).toMatchObject({ tokens })
    expect((await manage('GET')).body).toMatchObject({ tokens })
    expect((await manage('PATCH', { tokens: null })).body).not.toHaveProperty('tokens')
  })

  it.each([
    [{ jwksUrl: 'http://id.example/keys' }, 'must be an https URL'],
    [{ jwksUrl: 'https://10.0.0.1/keys' }, 'must be on the internet'],
    [{ jwksUrl: 'https://[fd00::1]/keys' }, 'must be on the internet'],
    [{ jwksUrl: 'https://ada:secret@id.example/keys' }, 'must have no user name or password'],
    [{ jwksUrl: 'file:///etc/passwd' }, 'must be an https URL'],
  ])('is refused with %j', async (change, message) => {
    const { manage } = await project()
    const refused = await manage('PATCH', { tokens: { ...provider.tokens, ...change } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'InvalidInput', errors: [{ path: 'body.tokens.jwksUrl' }] } })
    expect(refused.body.errors[0].message).toContain(message)
  })
})

async function project(settings: object = {}) {
  const url = await gateway.project({ requireToken: true, tokens: provider.tokens, ...settings })
  const id = url.split('/').at(-1)
  const manage = (method: string, body?: unknown) =>
    callManagement(gateway.service, method, `/projects/${id}`, { token: gateway.token, body })
  return { url, id, manage }
}

async function post(url: string, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' })
  // biome-ignore lint/suspicious/noExplicitAny: an answer in JSON-RPC
  const body: any = await response.json()
  return { response, body }
}

async function called(url: string, token?: string) {
  const { response, body } = await post(url, token)
  return { status: response.status, ...(body.error ? { message: body.error.message } : { result: body.result }) }
}

async function refusalOf(url: string, token: string) {
  const { response, body } = await post(url, token)
  const { code, message } = body.error
  return { status: response.status, code, message, challenge: response.headers.get('www-authenticate') }
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

function claims() {
  return { sub: 'eve', iss: provider.issuer, aud: 'an-app', exp: now() + 600 }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function unsigned(header: object): string {
  return `${encoded(header)}.${encoded(claims())}.`
}

/** With the public key as if it were a secret. */
function byHmac(jwk: object): string {
  const signed = `${encoded({ alg: 'HS256', kid: 'rsa' })}.${encoded(claims())}`
  return `${signed}.${createHmac('sha256', JSON.stringify(jwk)).update(signed).digest('base64url')}`
}
