import { createPrivateKey } from 'node:crypto'
import { open } from '@trestle/runtime/sealing'
import { eventually } from '@trestle/testing/eventually'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { signJwt } from '../src/tokens/jwt.js'
import { type AccountsUnderTest, accountsClient, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

// What settings give in tests: a key that somebody else has is worthless without it.
const SEALING_KEY = Buffer.alloc(32, 1)

let accounts: AccountsUnderTest
let administrator: TestUser
let user: TestUser
beforeAll(async () => {
  accounts = await startTestAccounts({ ADMINISTRATORS: 'root@example.org' })
  administrator = await accounts.createUser({ email: 'root@example.org' })
  user = await accounts.createUser()
})
afterAll(() => accounts.stop())

describe('declaring a signing key compromised', () => {
  it('is for administrators, and for keys that there are', async () => {
    const path = `/signing-keys/${decodeProtectedHeader(user.token).kid}/compromise`
    expect(await accounts.call('POST', path, { token: user.token })).toMatchObject({ status: 403, body: { code: 'NotManager' } })
    expect(await accounts.call('POST', path)).toMatchObject({ status: 401 })
    expect(await accounts.call('POST', '/signing-keys/x/compromise', { token: administrator.token })).toMatchObject({
      status: 404,
      body: { code: 'UnknownSigningKey' },
    })
    expect(await status(user.token)).toBe(200)
  })

  it('ends what it signed, here and at a replica without NATS, and keeps client keys and refresh tokens', async () => {
    const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const { body: issued } = await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
    const forged = await forge('account', user.token, { aud: ['accounts', 'manager'] })
    const elsewhere = accountsClient(await accounts.replica())
    const other = (token: string) => elsewhere.call('GET', '/users', { token })
    await eventually(async () => (await other(forged)).status === 200 || undefined, 'the replica accepts the forged token', SOON_MS)
    await accounts.nats.kill()

    const declaredAt = performance.now()
    const kid = decodeProtectedHeader(forged).kid
    const { status: declared, body: keys } = await accounts.call('POST', `/signing-keys/${kid}/compromise`, { token: administrator.token })
    expect(declared).toBe(200)
    expect(keys).toContainEqual(expect.objectContaining({ kid, state: 'compromised' }))
    await eventually(async () => (await other(forged)).status === 401 || undefined, 'the replica refuses it', SOON_MS)
    await eventually(async () => (await status(forged)) === 401 || undefined, 'this one does', SOON_MS)
    expect(performance.now() - declaredAt).toBeLessThan(2_000)
    expect((await accounts.call('GET', '/.well-known/jwks.json')).body.keys).not.toContainEqual(expect.objectContaining({ kid }))

    for (const token of [user.token, administrator.token]) expect(await status(token)).toBe(401)
    const token = await accounts.signIn(user.email)
    expect(decodeProtectedHeader(token).kid).not.toBe(kid)
    expect(await status(token)).toBe(200)
    expect((await elsewhere.call('GET', '/users/me', { token })).status).toBe(200)
    const { refreshToken } = issued
    expect(await accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken } })).toMatchObject({ status: 200 })
    await accounts.nats.start()
  })

  it('ends the refresh tokens that it signed, and no other', async () => {
    user.token = await accounts.signIn(user.email)
    const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const issue = () => accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
    const { refreshToken } = (await issue()).body
    const refresh = (token: string) => accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken: token } })
    const token = await accounts.signIn(administrator.email)
    await accounts.call('POST', `/signing-keys/${decodeProtectedHeader(refreshToken).kid}/compromise`, { token })
    expect(await refresh(refreshToken)).toMatchObject({ status: 401, body: { code: 'InvalidRefreshToken' } })
    expect(await refresh((await issue()).body.refreshToken)).toMatchObject({ status: 200 })
    expect(await status(user.token)).toBe(200)
  })
})

async function status(token: string): Promise<number> {
  return (await accounts.call('GET', '/users/me', { token })).status
}

/** A token with other claims, signed by the very key of the service. */
async function forge(family: string, token: string, claims: object): Promise<string> {
  const { kid = '', typ = '' } = decodeProtectedHeader(token)
  const { rows } = await accounts.sql.query('SELECT private_sealed FROM signing_key WHERE family = $1 AND kid = $2', [family, kid])
  return signJwt({ ...decodeJwt(token), ...claims }, typ, { kid, privateKey: createPrivateKey(open(SEALING_KEY, rows[0].private_sealed)) })
}
