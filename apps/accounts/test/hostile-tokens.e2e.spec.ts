import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { KeyStore } from '@trestle/auth/key-store'
import { withLowS } from '@trestle/auth/low-s'
import { accounts as endpoints } from '@trestle/contracts/accounts/api'
import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { PlainSealer } from '@trestle/runtime/sealing'
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { readEnv } from '../src/env.js'
import { SigningKeysService } from '../src/signing-keys/signing-keys.service.js'
import { type AccountsUnderTest, startTestAccounts, type TestUser } from './accounts.js'

interface Key {
  kid: string
  privateKey: KeyObject
}

let accounts: AccountsUnderTest
let user: TestUser
let header: Record<string, unknown>
let claims: JWTPayload
let keys: Record<'account' | 'client' | 'refresh', Key>
let clientTokens: { accessToken: string; refreshToken: string }
beforeAll(async () => {
  accounts = await startTestAccounts()
  user = await accounts.createUser()
  header = { ...decodeProtectedHeader(user.token) }
  claims = decodeJwt(user.token)
  // The very keys of the service: what they sign is wrong for no other reason than the one under test.
  keys = await stolenKeys()
  const { body } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
  clientTokens = (await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...body } })).body
})
afterAll(() => accounts.stop())

const now = () => Math.floor(Date.now() / 1000)
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

describe('an account token', () => {
  it('is accepted as issued, and as this test rebuilds it', async () => {
    expect(await statusOf(user.token)).toBe(200)
    expect(await statusOf(forged())).toBe(200)
  })

  it.each<[string, () => string]>([
    ['unsigned', () => `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`],
    ['unsigned, in capitals', () => `${encode({ ...header, alg: 'None' })}.${encode(claims)}.`],
    ['without an algorithm', () => forged({ header: { alg: undefined } })],
    ['signed by HMAC with the public key in PEM', () => hmac(publicKey().export({ type: 'spki', format: 'pem' }).toString())],
    ['signed by HMAC with the public JWK', () => hmac(JSON.stringify(publicKey().export({ format: 'jwk' })))],
    ['signed by another key of the same id', () => forged({ key: { kid: keys.account.kid, privateKey: stranger.privateKey } })],
    ['signed by the right key under another id', () => forged({ header: { kid: keys.client.kid } })],
    ['signed by the key of client tokens', () => forged({ key: keys.client })],
    ['signed by the key of refresh tokens', () => forged({ key: keys.refresh })],
    ['without a key id', () => forged({ header: { kid: undefined } })],
    ['of a numeric key id', () => forged({ header: { kid: 5 } })],
    ['of a key id that is a path', () => forged({ header: { kid: '../../etc/passwd' } })],
    ['of a key id that is SQL', () => forged({ header: { kid: "' or 1=1 --" } })],
    ['of a key id of 9 KB', () => forged({ header: { kid: 'k'.repeat(9000) } })],
    ['with a jku', () => forged({ header: { jku: 'http://127.0.0.1:1/keys' } })],
    ['with an x5u', () => forged({ header: { x5u: 'http://127.0.0.1:1/chain' } })],
    ['with an x5c', () => forged({ header: { x5c: ['AA=='] } })],
    ['with its own key in the header', () => embedded()],
    ['with a critical extension', () => forged({ header: { crit: ['exp'], exp: 1 } })],
    ['with a signature of zeroes', () => `${signed()}.${Buffer.alloc(64).toString('base64url')}`],
    ['with a shortened signature', () => user.token.slice(0, -8)],
    [
      'with a signature in DER',
      () => `${signed()}.${sign('sha256', Buffer.from(signed()), keys.account.privateKey).toString('base64url')}`,
    ],
    ['with other claims', () => user.token.replace(/\.[^.]+\./, `.${encode({ ...claims, sub: `user-${crypto.randomUUID()}` })}.`)],
    ['of type JWT', () => forged({ header: { typ: 'JWT' } })],
    ['of the type of refresh tokens', () => forged({ header: { typ: 'rt+jwt' } })],
    ['of the type of client tokens', () => forged({ header: { typ: 'at+jwt' } })],
    ['without a type', () => forged({ header: { typ: undefined } })],
    ['for another area', () => forged({ claims: { aud: ['nodes'] } })],
    ['for no area', () => forged({ claims: { aud: [] } })],
    ['without an audience', () => forged({ claims: { aud: undefined } })],
    ['for one area in a string', () => forged({ claims: { aud: 'accounts' } })],
    ['of another issuer', () => forged({ claims: { iss: 'http://127.0.0.1:8080' } })],
    ['of an issuer with a slash more', () => forged({ claims: { iss: `${claims.iss}/` } })],
    ['without an issuer', () => forged({ claims: { iss: undefined } })],
    ['without an end', () => forged({ claims: { exp: undefined } })],
    ['with an end in a string', () => forged({ claims: { exp: String(now() + 60) } })],
    ['with an end of null', () => forged({ claims: { exp: null } })],
    ['that ended in 1970', () => forged({ claims: { exp: 0 } })],
    ['that ended 6 seconds ago', () => forged({ claims: { exp: now() - 6 } })],
    ['that ends in ten years', () => forged({ claims: { exp: now() + 10 * 365 * 24 * 3600 } })],
    ['that begins in a minute', () => forged({ claims: { nbf: now() + 60 } })],
    ['that was issued in a minute', () => forged({ claims: { iat: now() + 60 } })],
    ['without a subject', () => forged({ claims: { sub: undefined } })],
    ['of several subjects', () => forged({ claims: { sub: [user.id] } })],
    ['of a subject that is an object', () => forged({ claims: { sub: { id: user.id } } })],
    ['without an epoch', () => forged({ claims: { ep: undefined } })],
    ['without a session', () => forged({ claims: { sid: undefined } })],
    ['of claims that are an array', () => forged({ payload: encode([]) })],
    ['of claims that are no JSON', () => forged({ payload: Buffer.from('{').toString('base64url') })],
    ['of four segments', () => `${user.token}.x`],
    ['of two segments', () => user.token.split('.').slice(0, 2).join('.')],
    ['of dots', () => '..'],
    ['with padding', () => `${user.token}=`],
    ['with a space inside', () => user.token.replace('.', '. ')],
  ])('is refused when it is %s', async (_, token) => {
    const { status, body, headers } = await accounts.call('GET', '/users/me', { token: token() })
    expect(status).toBe(401)
    expect(['InvalidToken', 'TokenExpired']).toContain(body.code)
    expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/)
    expect(body.requestId).toBe(headers.get('x-request-id'))
    expect(await statusOf(user.token)).toBe(200)
  })

  it.each<[string, () => string]>([
    ['ended 4 seconds ago, which clocks may differ by', () => forged({ claims: { exp: now() - 4 } })],
    ['names other areas before ours', () => forged({ claims: { aud: ['nodes', 'accounts'] } })],
  ])('is accepted when it %s', async (_, token) => {
    expect(await statusOf(token())).toBe(200)
  })

  it('is accepted under the scheme in lower case', async () => {
    expect((await accounts.call('GET', '/users/me', { headers: { authorization: `bearer ${user.token}` } })).status).toBe(200)
  })

  it.each([
    ['the query', { path: '/users/me?access_token=' }],
    ['a cookie', { path: '/users/me', cookie: true }],
  ])('is not looked for in %s', async (_, { path, cookie }: { path: string; cookie?: boolean }) => {
    const answer = cookie
      ? await accounts.call('GET', path, { headers: { cookie: `access_token=${user.token}` } })
      : await accounts.call('GET', path + user.token)
    expect([answer.status, answer.body.code]).toEqual([401, 'MissingToken'])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
  })
})

describe('every endpoint of the accounts area that needs an account token', () => {
  const guarded = Object.values(endpoints)
    .flatMap((group) => Object.values<EndpointSpec>(group))
    .filter(({ access }) => access === 'account' || access === 'manager')
    .map((spec) => [`${spec.method} ${spec.path}`, spec] as const)

  it.each(guarded)('%s refuses a client token, a refresh token and none', async (_, { method, path }) => {
    const somewhere = path.replaceAll(/\{\w+\}/g, 'x')
    for (const token of [clientTokens.accessToken, clientTokens.refreshToken]) {
      const { status, body } = await accounts.call(method, somewhere, { token })
      expect([status, body.code]).toEqual([401, 'InvalidToken'])
    }
    const { status, body } = await accounts.call(method, somewhere)
    expect([status, body.code]).toEqual([401, 'MissingToken'])
  })

  it.each(guarded.filter(([, { access }]) => access === 'manager'))(
    '%s refuses a user who is not an administrator',
    async (_, { method, path }) => {
      const { status, body } = await accounts.call(method, path.replaceAll(/\{\w+\}/g, 'x'), { token: user.token })
      expect([status, body.code]).toEqual([403, 'NotManager'])
    },
  )
})

describe('a refresh token', () => {
  it.each<[string, (token: Record<'header' | 'claims', Record<string, unknown>>) => string]>([
    ['signed by the key of account tokens', (own) => tokenOf({ ...own, key: keys.account })],
    ['signed by the key of client tokens', (own) => tokenOf({ ...own, key: keys.client })],
    ['signed by the right key, but never issued', (own) => tokenOf({ ...own, claims: { ...own.claims, jti: 'never' } })],
    ['for another audience', (own) => tokenOf({ ...own, claims: { ...own.claims, aud: ['accounts'] } })],
    ['of another issuer', (own) => tokenOf({ ...own, claims: { ...own.claims, iss: 'http://evil' } })],
    ['that has expired', (own) => tokenOf({ ...own, claims: { ...own.claims, exp: now() - 6 } })],
    ['of another type', (own) => tokenOf({ ...own, header: { ...own.header, typ: 'at+jwt' } })],
    ['with a critical extension', (own) => tokenOf({ ...own, header: { ...own.header, crit: ['x'], x: 1 } })],
    ['unsigned', (own) => `${encode({ ...own.header, alg: 'none' })}.${encode(own.claims)}.`],
  ])('is refused when it is %s', async (_, token) => {
    const own = { header: { ...decodeProtectedHeader(clientTokens.refreshToken) }, claims: { ...decodeJwt(clientTokens.refreshToken) } }
    const { status, body } = await accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken: token(own) } })
    expect([status, body.code]).toEqual([401, 'InvalidRefreshToken'])
    const refreshed = await accounts.call('POST', '/auth/token', {
      body: { grantType: 'refreshToken', refreshToken: tokenOf({ ...own, key: keys.refresh }) },
    })
    expect(refreshed.status).toBe(200)
  })
})

describe('a flood of unknown key ids', () => {
  it('locks out nobody', async () => {
    const storm = Array.from({ length: 500 }, (_, index) => statusOf(forged({ header: { kid: `unknown-${index}` } })))
    const genuine = Array.from({ length: 20 }, () => statusOf(user.token))
    expect(new Set(await Promise.all(storm))).toEqual(new Set([401]))
    expect(new Set(await Promise.all(genuine))).toEqual(new Set([200]))
  })
})

describe('signing keys that are rotated', () => {
  it('refuse no valid token, and every token of a key that was withdrawn', async () => {
    const signing = accounts.service.app.get(SigningKeysService, { strict: false })
    const tokens = [user.token]
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await signing.rotate()
      // A quarter of an hour later: what was pending signs.
      await accounts.sql.query("UPDATE signing_key SET active_from = active_from - interval '16 minutes'")
      await forget(signing)
      tokens.push(await accounts.signIn(user.email))
      expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBe(tokens.length)
      expect(await Promise.all(tokens.map(statusOf))).toEqual(tokens.map(() => 200))
    }

    await accounts.sql.query('DELETE FROM signing_key WHERE kid = $1', [keys.account.kid])
    await forget(signing)
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200, 200])
    expect(await statusOf(forged())).toBe(401)
  })

  /** What happens by itself within a minute. */
  async function forget(signing: SigningKeysService): Promise<void> {
    await signing.maintain()
    await accounts.service.app.get(KeyStore, { strict: false }).refresh()
  }
})

function statusOf(token: string): Promise<number> {
  return accounts.call('GET', '/users/me', { token }).then(({ status }) => status)
}

interface Forgery {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  key?: Key
  payload?: string
}

function forged({ header: changed, claims: other, key = keys.account, payload }: Forgery = {}): string {
  return tokenOf({ header: { ...header, kid: key.kid, ...changed }, claims: { ...claims, ...other }, key, payload })
}

function tokenOf(token: { header: object; claims: object; key?: Key; payload?: string }): string {
  const { key = keys.refresh } = token
  const input = `${encode(token.header)}.${token.payload ?? encode(token.claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${Buffer.from(withLowS(signature)).toString('base64url')}`
}

function embedded(): string {
  const jwk = stranger.publicKey.export({ format: 'jwk' })
  return forged({ header: { jwk }, key: { kid: keys.account.kid, privateKey: stranger.privateKey } })
}

function hmac(secret: string): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

function signed(): string {
  return user.token.split('.').slice(0, 2).join('.')
}

function publicKey(): KeyObject {
  return createPublicKey(keys.account.privateKey)
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

async function stolenKeys() {
  const env = { NODE_ENV: 'test', PORT: '0', INTERNAL_PORT: '0', PUBLIC_URL: 'http://h', DATABASE_URL: 'postgres://h', NATS_URL: 'h' }
  const sealer = new PlainSealer(readEnv(env).KEY_ENCRYPTION_KEY)
  const { rows } = await accounts.sql.query('SELECT family, kid, private_sealed FROM signing_key')
  return Object.fromEntries(
    rows.map(({ family, kid, private_sealed }) => [family, { kid, privateKey: createPrivateKey(sealer.open(private_sealed)) }]),
  ) as typeof keys
}
