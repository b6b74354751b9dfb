import type { IncomingMessage } from 'node:http'
import { jest } from '@jest/globals'
import type { Caller } from '@trestle/contracts/caller'
import { Authenticator, type TokenAccess } from '../src/authenticator.js'
import { KeyStore } from '../src/key-store.js'
import { Revocations } from '../src/revocations.js'
import { advanceClock } from './clock.js'
import { signingKey, TestIssuer } from './issuer.js'
import { startService, type TestService } from './service.js'
import { FakeAccounts, noMessaging } from './sources.js'

const CLIENT = 'client-00000000-0000-4000-8000-000000000001'
const HOUR_MS = 3_600_000
const TOLERANCE_MS = 5_000

let accounts: FakeAccounts
let service: TestService
let token: string

beforeEach(async () => {
  accounts = new FakeAccounts(new TestIssuer())
  service = await startService(accounts.options(), noMessaging())
  token = accounts.issuer.client({ payload: { client_id: CLIENT, kep: 5 } })
  expect(await service.withToken('/client', token)).toMatchObject({ status: 200 })
})

afterEach(async () => {
  jest.useRealTimers()
  jest.restoreAllMocks()
  await service.stop()
})

describe.each([
  ['over a connection of its own', undefined],
  ['over the connection that it came by before', { isOpen: true }],
])(`${Authenticator.name}.known, %s,`, (_, connection) => {
  beforeEach(() => {
    expect(known([token])).toBeDefined()
  })

  it('returns the caller of a verified token at once', () => {
    expect(known([token])).toMatchObject({ kind: 'client', clientId: CLIENT })
  })

  it.each<[string, TokenAccess, () => readonly string[]]>([
    ['of a token that was not verified before', 'client', () => [accounts.issuer.client()]],
    ['without a token', 'client', () => []],
    ['of a malformed token', 'client', () => ['x.y.z']],
    ['of two tokens', 'client', () => [token, token]],
    ['of a client token on an endpoint for account tokens', 'account', () => [token]],
  ])('returns no caller %s', (_, access, tokens) => {
    expect(known(tokens(), access)).toBeUndefined()
  })

  it('returns no caller once the token has expired', () => {
    advanceClock(HOUR_MS + TOLERANCE_MS + 1_000)
    expect(known([token])).toBeUndefined()
  })

  it('returns no caller once the token is revoked', () => {
    service.app.get(Revocations).record({ kind: 'client', id: CLIENT, epoch: 6 })
    expect(known([token])).toBeUndefined()
  })

  it('returns no caller once the signing key is withdrawn', async () => {
    accounts.issuer.keys.client = signingKey()
    await service.app.get(KeyStore).refresh()
    expect(known([token])).toBeUndefined()
  })

  it('returns the caller of each token where several come in turn', async () => {
    const other = accounts.issuer.client()
    await service.withToken('/client', other)
    const callers = [token, other, token, token, other].map((each) => known([each])?.clientId)
    expect(new Set(callers).size).toBe(2)
    expect(callers.map((id) => id === CLIENT)).toEqual([true, false, true, true, false])
  })

  function known(tokens: readonly string[], access: TokenAccess = 'client'): Caller | undefined {
    const values = tokens.map((each) => `Bearer ${each}`)
    const request = {
      headers: { authorization: values[0] },
      rawHeaders: values.flatMap((value) => ['Authorization', value]),
      socket: connection,
    }
    return service.app.get(Authenticator).known(request as unknown as IncomingMessage, access)
  }
})
