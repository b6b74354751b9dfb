import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { compact, ISSUER, resigned, signature, signingKey, TestIssuer, type TokenParts } from './issuer.js'
import { invalid, startService, type TestService } from './service.js'
import { FakeAccounts, noMessaging } from './sources.js'

const issuer = new TestIssuer()
const seconds = () => Math.floor(Date.now() / 1000)
let service: TestService

beforeAll(async () => {
  service = await startService(new FakeAccounts(issuer).options(), noMessaging())
})

afterAll(() => service.stop())

describe('a token with a hostile header', () => {
  const { jwk, publicKey } = issuer.keys.account
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  const hmac = (secret: string) => (input: string) => Buffer.concat([createHmac('sha256', secret).update(input).digest(), Buffer.alloc(32)])

  it.each([
    ['none', { alg: 'none' }, () => Buffer.alloc(64)],
    ['None', { alg: 'None' }, () => Buffer.alloc(64)],
    ['HS256 with the PEM of the public key', { alg: 'HS256' }, hmac(pem)],
    ['HS256 with the JWK of the public key', { alg: 'HS256' }, hmac(JSON.stringify(jwk))],
    ['ES384', { alg: 'ES384' }, (input: string) => signature(input, issuer.keys.account)],
    ['missing', { alg: undefined }, (input: string) => signature(input, issuer.keys.account)],
    ['a list', { alg: ['ES256'] }, (input: string) => signature(input, issuer.keys.account)],
  ])('is refused: alg %s', async (_, header, signer) => {
    const [, payload = ''] = issuer.account().split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const token = compact({ typ: 'acct+jwt', kid: jwk.kid, ...header }, claims, signer)
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
  })

  const embedded = signingKey()
  it.each<[string, TokenParts]>([
    ['another key under a known kid', { key: signingKey(jwk.kid) }],
    ['the right key under another kid', { header: { kid: 'another' } }],
    ['a kid of the other kind', { header: { kid: issuer.keys.client.kid } }],
    ['a key of the other kind', { key: issuer.keys.client }],
    ['a path as kid', { header: { kid: '../../etc/passwd' } }],
    ['SQL as kid', { header: { kid: "' or 1=1" } }],
    ['__proto__ as kid', { header: { kid: '__proto__' } }],
    ['4 KB of kid', { header: { kid: 'k'.repeat(4096) } }],
    ['a number as kid', { header: { kid: 1 } }],
    ['no kid', { header: { kid: undefined } }],
    ['its own key as jwk', { key: embedded, header: { jwk: embedded.jwk } }],
    ['its own key as jwk under a known kid', { key: embedded, header: { jwk: embedded.jwk, kid: jwk.kid } }],
    ['jku', { header: { jku: 'https://evil.test/jwks.json' } }],
    ['x5u', { header: { x5u: 'https://evil.test/key.pem' } }],
    ['x5c', { header: { x5c: ['MIIB'] } }],
    ['crit', { header: { crit: ['exp'] } }],
    ['b64', { header: { b64: false, crit: ['b64'] } }],
    ['typ JWT', { header: { typ: 'JWT' } }],
    ['typ rt+jwt', { header: { typ: 'rt+jwt' } }],
    ['no typ', { header: { typ: undefined } }],
    ['the typ of the other kind', { header: { typ: 'at+jwt' } }],
  ])('is refused: %s', async (_, parts) => {
    const token = issuer.account(parts)
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
    expect(await service.withToken('/client', token)).toMatchObject(invalid())
  })

  it.each(['x', '"x"', 'null', '[]', '{', '{}'])('is refused: %s for a header', async (json) => {
    const [, payload, mac] = issuer.account().split('.')
    expect(await service.withToken('/account', `${Buffer.from(json).toString('base64url')}.${payload}.${mac}`)).toMatchObject(invalid())
  })
})

describe('a token with a hostile signature', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['all zero', () => Buffer.alloc(64)],
    ['r = 0', (bytes) => Buffer.concat([Buffer.alloc(32), bytes.subarray(32)])],
    ['s = 0', (bytes) => Buffer.concat([bytes.subarray(0, 32), Buffer.alloc(32)])],
    ['all ones', () => Buffer.alloc(64, 0xff)],
    ['truncated', (bytes) => bytes.subarray(0, 63)],
    ['too long', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    [
      'in DER',
      (bytes) => Buffer.concat([Buffer.from([0x30, 0x44, 2, 32]), bytes.subarray(0, 32), Buffer.from([2, 32]), bytes.subarray(32)]),
    ],
    ['of another token', () => Buffer.from(issuer.account().split('.')[2] ?? '', 'base64url')],
  ])('is refused: %s', async (_, change) => {
    expect(await service.withToken('/account', resigned(issuer.account(), change))).toMatchObject(invalid())
  })
})

describe('the twin of a genuine token', () => {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

  // In ECDSA (r, s) and (r, n - s) are both valid.
  it('is refused, whether or not the genuine one was seen before', async () => {
    for (let round = 0; round < 20; round++) {
      const token = issuer.account()
      const twin = resigned(token, (bytes) => {
        const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
        return Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
      })
      expect(await service.withToken('/account', twin)).toMatchObject(invalid())
      expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
      expect(await service.withToken('/account', twin)).toMatchObject(invalid())
    }
  })
})

describe('a token with one character changed', () => {
  it('is refused, whichever character it is', async () => {
    const token = issuer.account()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })),
        async (index, code) => {
          const character = String.fromCharCode(code)
          fc.pre(character !== token[index])
          expect(await service.withToken('/account', token.slice(0, index) + character + token.slice(index + 1))).toMatchObject({
            status: 401,
          })
        },
      ),
      { numRuns: 1000 },
    )
  })

  // 64 bytes end within a character: 15 others decode to the same bytes.
  it('is refused when it still decodes to the same bytes', async () => {
    const token = issuer.account()
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.replace(token.at(-1) ?? '', '')) {
      expect(await service.withToken('/account', token.slice(0, -1) + character)).toMatchObject(invalid())
    }
  })
})

describe('a token with hostile claims', () => {
  const other = 'user-00000000-0000-4000-8000-000000000001'

  it('is refused when the payload was edited', async () => {
    const [header, payload = '', mac] = issuer.account().split('.')
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: other }
    const edited = Buffer.from(JSON.stringify(claims)).toString('base64url')
    expect(await service.withToken('/account', `${header}.${edited}.${mac}`)).toMatchObject(invalid())
  })

  it.each<[string, () => Record<string, unknown>]>([
    ['aud: a string', () => ({ aud: 'nodes' })],
    ['aud: empty', () => ({ aud: [] })],
    ['aud: other areas', () => ({ aud: ['accounts', 'staking'] })],
    ['aud: a longer word', () => ({ aud: ['nodes2', 'Nodes', 'nodes '] })],
    ['aud: nested', () => ({ aud: [['nodes']] })],
    ['aud: missing', () => ({ aud: undefined })],
    ['iss: other', () => ({ iss: 'https://evil.test' })],
    ['iss: trailing slash', () => ({ iss: `${ISSUER}/` })],
    ['iss: a list', () => ({ iss: [ISSUER] })],
    ['iss: missing', () => ({ iss: undefined })],
    ['exp: missing', () => ({ exp: undefined })],
    ['exp: a string', () => ({ exp: String(seconds() + 60) })],
    ['exp: null, as NaN becomes', () => ({ exp: Number.NaN })],
    ['exp: a fraction', () => ({ exp: seconds() + 60.5 })],
    ['exp: in ten years', () => ({ exp: seconds() + 10 * 365 * 86_400 })],
    ['exp: ten seconds beyond the policy', () => ({ iat: seconds() - 10 })],
    ['nbf: in a minute', () => ({ nbf: seconds() + 60 })],
    ['nbf: missing', () => ({ nbf: undefined })],
    ['iat: in a minute', () => ({ iat: seconds() + 60 })],
    ['iat: missing', () => ({ iat: undefined })],
    ['sub: missing', () => ({ sub: undefined })],
    ['sub: a list', () => ({ sub: [other] })],
    ['sub: an object', () => ({ sub: { id: other } })],
    ['sub: a client', () => ({ sub: other.replace('user', 'client') })],
    ['jti: missing', () => ({ jti: undefined })],
    ['jti: empty', () => ({ jti: '' })],
    ['ep: missing', () => ({ ep: undefined })],
    ['ep: a string', () => ({ ep: '3' })],
    ['ep: negative', () => ({ ep: -1 })],
  ])('is refused: %s', async (_, payload) => {
    expect(await service.withToken('/account', issuer.account({ payload: payload() }))).toMatchObject(invalid())
    expect(await service.withToken('/client', issuer.client({ payload: payload() }))).toMatchObject(invalid())
  })

  it('is refused: an account token without a session', async () => {
    expect(await service.withToken('/account', issuer.account({ payload: { sid: undefined } }))).toMatchObject(invalid())
  })

  it.each(['client_id', 'scope', 'kep'])('is refused: a client token without %s', async (claim) => {
    expect(await service.withToken('/client', issuer.client({ payload: { [claim]: undefined } }))).toMatchObject(invalid())
  })

  it.each(['null', '[]', '"x"', '1', '{'])('is refused: %s for a payload', async (json) => {
    const { keys } = issuer
    const input = `${Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'acct+jwt', kid: keys.account.kid })).toString('base64url')}.${Buffer.from(json).toString('base64url')}`
    const token = `${input}.${signature(input, keys.account).toString('base64url')}`
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
  })
})
