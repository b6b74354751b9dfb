import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Revocations } from '../src/revocations.js'
import { TestIssuer } from './issuer.js'
import { startService, type TestService } from './service.js'
import { FakeAccounts, noMessaging } from './sources.js'

const PROMPTLY_MS = 2_000

let accounts: FakeAccounts
let service: TestService
beforeAll(async () => {
  accounts = new FakeAccounts(new TestIssuer())
  service = await startService(accounts.options(), noMessaging())
})
afterAll(() => service.stop())

describe('a body that is still being sent is broken off within two seconds', () => {
  it('of the expiry of its token', async () => {
    const exp = Math.floor(Date.now() / 1000) + 2
    const body = await open(accounts.issuer.client({ payload: { exp } }))
    const { at } = await ending(body)
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
    const [body, other] = [await open(token), await open(issuer.client())]
    const begun = Date.now()
    service.app.get(Revocations).record({ kind, id: ids[kind], epoch })
    expect((await ending(body)).at - begun).toBeLessThan(PROMPTLY_MS)
    expect((await other.read()).done).toBe(false)
    await other.cancel()
  })

  it('of the compromise of the key that signed its token', async () => {
    const body = await open(accounts.issuer.client())
    const begun = Date.now()
    service.app.get(Revocations).recordCompromise(accounts.issuer.keys.client.kid)
    expect((await ending(body)).at - begun).toBeLessThan(PROMPTLY_MS)
  })
})

it('a body is not broken off while its reader is allowed', async () => {
  const body = await open(accounts.issuer.account())
  await delay(PROMPTLY_MS)
  expect((await body.read()).done).toBe(false)
  await body.cancel()
})

async function open(token: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { status, body } = await fetch(`${service.url}/stream`, { headers: { authorization: `Bearer ${token}` } })
  expect(status).toBe(200)
  if (!body) throw new Error('The answer has no body.')
  const reader = body.getReader()
  await reader.read()
  return reader
}

/** A body that ends as if it were whole would not reject. */
async function ending(body: ReadableStreamDefaultReader<Uint8Array>): Promise<{ at: number }> {
  await expect(untilDone(body)).rejects.toThrow('terminated')
  return { at: Date.now() }
}

async function untilDone(body: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await body.read()).done);
}
