import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT, UnsecuredJWT } from 'jose'
import { type AccountsUnderTest, type HttpReply, startTestAccounts } from '../accounts.js'
import { type Lies, startLyingProvider } from './lying-provider.js'
import { providersFile } from './providers-file.js'

const CLIENT_ID = 'trestle'
const HOUR_S = 3600

describe('a provider that lies', () => {
  let folder: string
  let liar: Awaited<ReturnType<typeof startLyingProvider>>
  let accounts: AccountsUnderTest
  let ahead = 0
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trestle-liar-'))
    writeFileSync(join(folder, 'secret'), 'the secret of the client')
    liar = await startLyingProvider(CLIENT_ID)
    const entry = (id: string, more: string) =>
      `  - {id: ${id}, title: ${id}, issuer: '${liar.issuer}', clientId: ${CLIENT_ID}, clientSecretFile: '${join(folder, 'secret')}', ${more}}\n`
    const google = entry('google', `preset: google, domains: [liar.example]`)
    const honest = entry('honest', `domains: [honest.example], required: true`)
    accounts = await startTestAccounts({
      IDENTITY_PROVIDERS_FILE: providersFile(folder, `providers:\n${entry('liar', 'domains: [liar.example]')}${google}${honest}`),
      ADMINISTRATORS: 'boss@honest.example,root@elsewhere.example',
    })
  })
  afterAll(async () => {
    await accounts?.stop()
    await liar.stop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => {
    liar.lie({})
    // What was discovered is forgotten.
    ahead += HOUR_S * 1000 + 1
    accounts.setClockAhead(ahead)
  })

  let networks = 0
  const call = (path: string, body?: object) =>
    accounts.call('POST', `/identity-providers/${path}`, { body, from: `203.0.113.${(networks++ % 250) + 1}` })

  async function signIn(
    lies: Lies,
    id = 'liar',
    change: (callback: Record<string, string>) => object = (callback) => callback,
  ): Promise<HttpReply> {
    liar.lie(lies)
    const begun = await call(`${id}/sign-ins`)
    if (begun.status !== 201) return begun
    return call(`${id}/sessions`, { attempt: begun.body.attempt, callback: change(liar.authorize(begun.body.authorizationUrl)) })
  }
  const answerOf = async (reply: Promise<HttpReply>) => {
    const { status, body } = await reply
    return [status, body.code]
  }

  it('is believed as long as it does not', async () => {
    expect((await signIn({})).status).toBe(200)
  })

  const seconds = () => Math.floor(Date.now() / 1000)
  it.each<[string, () => Lies]>([
    ['another issuer', () => ({ claims: { iss: 'https://other.example' } })],
    ['another nonce', () => ({ claims: { nonce: 'other' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['another audience', () => ({ claims: { aud: 'other' } })],
    ['several audiences and no authorized party', () => ({ claims: { aud: [CLIENT_ID, 'other'] } })],
    ['several audiences and another authorized party', () => ({ claims: { aud: [CLIENT_ID, 'other'], azp: 'other' } })],
    ['a time that has passed', () => ({ claims: { exp: seconds() - 100, iat: seconds() - 400 } })],
    ['no time', () => ({ claims: { exp: undefined } })],
    ['a time that has not come', () => ({ claims: { nbf: seconds() + 600 } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['an empty subject', () => ({ claims: { sub: '' } })],
    ['a subject that is no text', () => ({ claims: { sub: 5 } })],
    ['an endless subject', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['a key that is not published', () => ({ foreignKey: true })],
    ['no signature', () => ({ idToken: (claims) => new UnsecuredJWT(claims).encode() })],
    ['another payload under the signature', () => ({ idToken: tampered })],
    ['the public key as a shared secret', () => ({ idToken: signedWithPublicKey })],
    ['no id_token', () => ({ token: (response) => json(response, { access_token: 'access', token_type: 'Bearer' }) })],
    [
      'a token of another kind',
      () => ({ token: (response) => json(response, { access_token: 'access', token_type: 'mac', id_token: 'x' }) }),
    ],
    ['no JSON', () => ({ token: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{') })],
    ['a page', () => ({ token: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>') })],
  ])('is not believed with %s', async (_, lies) => {
    expect(await answerOf(signIn(lies()))).toEqual([502, 'InvalidProviderAnswer'])
  })

  it.each<[string, (callback: Record<string, string>) => object]>([
    ['another state', (callback) => ({ ...callback, state: 'other' })],
    ['no state', ({ code, iss }) => ({ code, iss })],
    ['no code', ({ state, iss }) => ({ state, iss })],
    ['the name of another provider (RFC 9207)', (callback) => ({ ...callback, iss: 'https://other.example' })],
    ['no name, where it says that it sends one', ({ code, state }) => ({ code, state })],
    ['a response of another kind', (callback) => ({ ...callback, response: 'x.y.z' })],
  ])('is not believed when the browser comes back with %s', async (_, change) => {
    expect(await answerOf(signIn({}, 'liar', change))).toEqual([502, 'InvalidProviderAnswer'])
    expect(liar.requests.at(-1)).not.toBe('/token')
  })

  it.each<[string, Lies]>([
    ['names another issuer', { discovery: { issuer: 'https://other.example' } }],
    [
      'sends a huge document',
      { discovery: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(300 * 1024)) },
    ],
    ['sends a document without an end', { discovery: endless }],
    [
      'sends a document that unpacks to a huge one',
      { discovery: (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x') },
    ],
    [
      'redirects to an internal address',
      { discovery: (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end() },
    ],
    ['leads to an internal address', { discovery: { token_endpoint: 'https://169.254.169.254/token' } }],
    ['leads to an internal address in another spelling', { discovery: { jwks_uri: 'https://[::ffff:10.0.0.1]/keys' } }],
    ['leads to what is not encrypted', { discovery: { token_endpoint: 'http://other.example/token' } }],
    ['leads the browser to a script', { discovery: { authorization_endpoint: 'javascript:alert(1)' } }],
    ['signs nothing', { discovery: { id_token_signing_alg_values_supported: ['none'] } }],
    ['signs with a shared secret', { discovery: { id_token_signing_alg_values_supported: ['HS256'] } }],
    ['fails', { discovery: (response) => void response.writeHead(500).end() }],
    ['hangs up', { discovery: (response) => response.destroy() }],
  ])('is not used when it %s', async (_, lies) => {
    const startedAt = Date.now()
    expect(await answerOf(signIn(lies))).toEqual([503, 'ProviderUnavailable'])
    expect(Date.now() - startedAt).toBeLessThan(9000)
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['hangs up', (response) => response.destroy()],
    ['does not know the client', (response) => json(response, { error: 'invalid_client' }, 401)],
    ['never answers', () => undefined],
    ['sends too much', (response) => json(response, { access_token: 'x'.repeat(300 * 1024) })],
    ['redirects', (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
  ])('is not believed when it %s at the end', async (_, token) => {
    const [status, code] = await answerOf(signIn({ token }))
    expect([503, 502]).toContain(status)
    expect(['ProviderUnavailable', 'InvalidProviderAnswer']).toContain(code)
  })

  it('is asked by one of many, while it is down', async () => {
    liar.lie({ discovery: (response) => response.destroy() })
    liar.requests.length = 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => answerOf(call('liar/sign-ins'))))
    expect(new Set(answers.map(String))).toEqual(new Set(['503,ProviderUnavailable']))
    expect(liar.requests).toHaveLength(1)
    // And is used again a little later.
    ahead += 5001
    accounts.setClockAhead(ahead)
    expect((await signIn({})).status).toBe(200)
  })

  it('gets no account of anybody else by an address of theirs', async () => {
    const victim = await accounts.createUser({ email: 'victim@elsewhere.example' })
    const claims = { sub: 'thief', email: victim.email }
    expect(await answerOf(signIn({ claims }))).toEqual([403, 'UserNotVerified'])
    // Nor with what only the userinfo says.
    expect(
      await answerOf(
        signIn({ claims: { sub: 'thief', email: undefined }, userinfo: { sub: 'thief', email: victim.email, email_verified: true } }),
      ),
    ).toEqual([403, 'UserNotVerified'])
    const { rows } = await accounts.sql.query(`SELECT 1 FROM external_identity WHERE subject = 'thief'`)
    expect(rows).toEqual([])
  })

  it('does not mix the userinfo of somebody else in', async () => {
    const claims = { sub: 'mallory-2', email: undefined }
    expect(await answerOf(signIn({ claims, userinfo: { sub: 'other', email: 'x@liar.example', email_verified: true } }))).toEqual([
      502,
      'InvalidProviderAnswer',
    ])
  })

  it('makes nobody an administrator', async () => {
    expect(await answerOf(signIn({ claims: { sub: 'root', email: 'root@elsewhere.example' } }))).toEqual([403, 'UserNotVerified'])
    expect(await answerOf(signIn({ claims: { sub: 'boss', email: 'boss@honest.example' } }))).toEqual([403, 'SignInWithProvider'])
  })

  it('has no say about an address of a domain that signs in elsewhere, in any spelling', async () => {
    for (const email of ['x@honest.example', 'X@HONEST.example', 'x@honest.example.']) {
      const [status, code] = await answerOf(signIn({ claims: { sub: `spy ${email}`, email } }))
      expect([status, ['SignInWithProvider', 'EmailNotVerified'].includes(String(code))]).toEqual([403, true])
    }
  })

  it('is not believed about an address that it has not verified', async () => {
    for (const email_verified of [false, undefined, 'true', 1])
      expect(await answerOf(signIn({ claims: { sub: 'nobody', email_verified } }))).toEqual([403, 'EmailNotVerified'])
  })

  it('has a subject of its own issuer only: the same subject at another provider is somebody else', async () => {
    await signIn({ claims: { sub: 'shared', email: 'shared@liar.example' } })
    await accounts.sql.query(`UPDATE external_identity SET issuer = 'https://formerly.example' WHERE subject = 'shared'`)
    await signIn({ claims: { sub: 'shared', email: 'other@liar.example' } })
    const { rows } = await accounts.sql.query(`SELECT DISTINCT user_id FROM external_identity WHERE subject = 'shared'`)
    expect(rows).toHaveLength(2)
  })

  it('of many companies is believed about a domain only where it says that the user is of it (Google)', async () => {
    const claims = { sub: 'consumer', email: 'ceo@liar.example' }
    expect(await answerOf(signIn({ claims }, 'google'))).toEqual([403, 'UserNotVerified'])
    expect(await answerOf(signIn({ claims: { ...claims, hd: 'other.example' } }, 'google'))).toEqual([403, 'UserNotVerified'])
    expect((await signIn({ claims: { ...claims, sub: 'ceo', hd: 'liar.example' } }, 'google')).status).toBe(200)
  })

  async function tampered(claims: Record<string, unknown>): Promise<string> {
    const [header, , signature] = (await liar.sign(claims)).split('.')
    return [header, Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url'), signature].join('.')
  }

  async function signedWithPublicKey(claims: object): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(liar.jwk)))
  }
})

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '.repeat(10)), 500)
  response.on('close', () => clearInterval(timer))
}
