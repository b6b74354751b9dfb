import { createDecipheriv, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { eventually } from '@trestle/testing/eventually'
import pg from 'pg'
import { startTestPlatform, type TestPlatform } from './platform.js'

// The drill of docs/security.md: somebody has a dump of the database and KEY_ENCRYPTION_KEY, and signs tokens of their own.

const AREAS = ['accounts', 'staking', 'nodes', 'btc', 'eth']
const LIMIT_MS = 2_000
// FIPS 186-5: the order of P-256. Of the two signatures of a token only the one with the lower s is valid.
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

let platform: TestPlatform
let db: pg.Client
let administrator: string
beforeAll(async () => {
  platform = await startTestPlatform('staking', 'nodes', 'btc', 'eth')
  db = new pg.Client({ connectionString: platform.info.postgres })
  await db.connect()
  administrator = await signIn()
}, 300_000)
afterAll(async () => {
  await db?.end()
  await platform?.stop()
})

describe('a leaked signing key', () => {
  it('opens every area until it is declared compromised, and two seconds later none', async () => {
    const [header, payload] = parts(administrator)
    const key = await stolenKey(header.kid)
    const forge = (claims: object) => token(header, { ...payload, ...claims, jti: crypto.randomUUID() }, key)
    const forged = forge({ sub: `user-${crypto.randomUUID()}` })
    const served = AREAS.filter((area) => platform.info.services[area])
    expect(served).toEqual(expect.arrayContaining(['accounts', 'staking', 'nodes']))
    for (const area of served) expect([area, await statusOf(area, forged)]).toEqual([area, 200])
    const stream = served.includes('btc') ? await openStream(forged) : undefined

    const declared = await call('POST', `/accounts/signing-keys/${header.kid}/compromise`, administrator)
    expect(declared.status).toBe(200)
    const declaredAt = performance.now()
    await Promise.all(
      served.map((area) => eventually(async () => (await statusOf(area, forged)) === 401 || undefined, `${area} refuses it`)),
    )
    await stream?.ended
    expect(performance.now() - declaredAt).toBeLessThan(LIMIT_MS)

    for (const area of served) expect([area, await statusOf(area, forge({}))]).toEqual([area, 401])
    const next = await signIn()
    expect(parts(next)[0].kid).not.toBe(header.kid)
    for (const area of served)
      await eventually(async () => (await statusOf(area, next)) === 200 || undefined, `${area} accepts a token of the new key`)
  }, 120_000)
})

async function signIn(): Promise<string> {
  const { email, password } = platform.info.admin
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
  const response = await fetch(`${platform.info.ingress}/accounts/auth`, { method: 'POST', headers })
  const { accessToken } = (await response.json()) as { accessToken: string }
  return accessToken
}

function call(method: string, path: string, bearer: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${platform.info.ingress}${path}`, { ...init, method, headers: { authorization: `Bearer ${bearer}` } })
}

/** What only an administrator sees. */
async function statusOf(area: string, bearer: string): Promise<number> {
  const response = await call('GET', `/${area}/outbox`, bearer)
  await response.arrayBuffer()
  return response.status
}

async function openStream(bearer: string): Promise<{ ended: Promise<void> }> {
  const response = await call('GET', '/btc/api/v1/events', bearer)
  expect(response.status).toBe(200)
  const drain = async () => {
    for await (const _ of response.body ?? []);
  }
  return { ended: drain().catch(() => {}) }
}

async function stolenKey(kid: string): Promise<KeyObject> {
  const { rows } = await db.query('SELECT private_sealed FROM accounts.signing_key WHERE kid = $1', [kid])
  const sealed: Buffer = rows[0].private_sealed
  const cipher = createDecipheriv('aes-256-gcm', Buffer.from(platform.secret('KEY_ENCRYPTION_KEY'), 'base64'), sealed.subarray(0, 12))
  cipher.setAuthTag(sealed.subarray(-16))
  return createPrivateKey(Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()]))
}

function parts(jwt: string) {
  const [header, payload] = jwt.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  return [JSON.parse(header ?? ''), JSON.parse(payload ?? '')]
}

function token(header: object, payload: object, key: KeyObject): string {
  const input = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  for (;;) {
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    if (BigInt(`0x${signature.subarray(32).toString('hex')}`) <= ORDER / 2n) return `${input}.${signature.toString('base64url')}`
  }
}
