import { randomUUID } from 'node:crypto'
import { AuthModule } from '@trestle/auth/auth.module'
import { Revocations } from '@trestle/auth/revocations'
import { ISSUER, TestIssuer } from '@trestle/auth/test/issuer'
import { FakeAccounts, noMessaging } from '@trestle/auth/test/sources'
import { EventReader } from './seeded/event-reader.js'
import { type SeededApi, startSeededApi } from './seeded/seeded-api.js'
import { SeededChain } from './seeded/seeded-chain.js'

const PROMPTLY_MS = 2_000

let accounts: FakeAccounts
let api: SeededApi
beforeAll(async () => {
  accounts = new FakeAccounts(new TestIssuer())
  class RealAuthentication {}
  const auth = AuthModule.forRoot({ area: 'btc-connect', issuer: ISSUER, ...accounts.options() })
  api = await startSeededApi({}, { module: RealAuthentication, imports: [noMessaging(), auth] })
  const chain = new SeededChain()
  chain.mine()
  await api.seed(chain)
})
afterAll(() => api.stop())

describe('a stream of events ends within two seconds', () => {
  it('of the expiry of its token', async () => {
    const exp = Math.floor(Date.now() / 1000) + 2
    const reader = await open(accounts.issuer.client({ payload: { exp } }))
    const at = await ending(reader)
    expect(at).toBeGreaterThanOrEqual(exp * 1000)
    expect(at).toBeLessThan(exp * 1000 + PROMPTLY_MS)
  })

  it.each([
    ['signing out', 'session', 1],
    ['signing out everywhere, or the disabling of the user', 'user', 4],
    ['the deletion of the client key', 'client', 6],
  ] as const)('of %s', async (_, kind, epoch) => {
    const ids = { user: `user-${randomUUID()}`, session: `session-${randomUUID()}`, client: `client-${randomUUID()}` }
    const { issuer } = accounts
    const token =
      kind === 'client'
        ? issuer.client({ payload: { sub: ids.user, client_id: ids.client } })
        : issuer.account({ payload: { sub: ids.user, sid: ids.session } })
    const [reader, other] = [await open(token), await open(issuer.client())]
    const begun = Date.now()
    api.service.app.get(Revocations, { strict: false }).record({ kind, id: ids[kind], epoch })
    expect((await ending(reader)) - begun).toBeLessThan(PROMPTLY_MS)
    expect(api.streams()).toHaveLength(1)
    other.close()
  })

  it('of the compromise of the key that signed its token', async () => {
    const reader = await open(accounts.issuer.client())
    const begun = Date.now()
    api.service.app.get(Revocations, { strict: false }).recordCompromise(accounts.issuer.keys.client.kid)
    expect((await ending(reader)) - begun).toBeLessThan(PROMPTLY_MS)
  })
})

async function open(token: string): Promise<EventReader> {
  const reader = await EventReader.open(api.url, { token })
  expect(reader.response.statusCode).toBe(200)
  await reader.next()
  return reader
}

async function ending(reader: EventReader): Promise<number> {
  while (await reader.next());
  return Date.now()
}
