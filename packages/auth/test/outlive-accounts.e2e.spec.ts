import { jest } from '@jest/globals'
import { KeyStore } from '../src/key-store.js'
import { Revocations } from '../src/revocations.js'
import { advanceClock } from './clock.js'
import { signingKey, TestIssuer } from './issuer.js'
import { invalid, startService, type TestService } from './service.js'
import { FakeAccounts, noMessaging } from './sources.js'

const HOUR = 3_600_000
const seconds = () => Math.floor(Date.now() / 1000)
let accounts: FakeAccounts
let service: TestService

beforeEach(() => {
  accounts = new FakeAccounts(new TestIssuer())
})

afterEach(async () => {
  jest.useRealTimers()
  jest.restoreAllMocks()
  await service.stop()
})

describe('before accounts was ever reached', () => {
  it('answers 503 until the keys are known', async () => {
    accounts.keysAway = true
    await start()
    const token = accounts.issuer.account()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 503, body: { code: 'KeysUnavailable' }, retryAfter: '1' })
    expect(await service.withToken('/account', 'x')).toMatchObject(invalid())
    expect(await service.get('/public')).toMatchObject({ status: 200 })
    accounts.keysAway = false
    await service.app.get(KeyStore).refresh()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
  })

  it('answers 503 until the revocations are known', async () => {
    accounts.revocationsAway = true
    await start()
    const token = accounts.issuer.account()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 503, body: { code: 'RevocationsUnknown' }, retryAfter: '1' })
    accounts.revocationsAway = false
    await service.app.get(Revocations).poll()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
  })
})

describe('with the accounts service away for two hours', () => {
  it('accepts tokens, both verified before and new', async () => {
    await start()
    const known = accounts.issuer.account()
    expect(await service.withToken('/account', known)).toMatchObject({ status: 200 })
    accounts.keysAway = true
    accounts.revocationsAway = true
    advanceClock(2 * HOUR)
    await service.app.get(KeyStore).refresh()
    await service.app.get(Revocations).poll()
    expect(await service.withToken('/account', known)).toMatchObject({ status: 200 })
    expect(await service.withToken('/account', accounts.issuer.account())).toMatchObject({ status: 200 })
  })
})

describe('with tokens of a thousand unknown keys', () => {
  it('accepts the genuine ones, and fetches keys at most once in five seconds', async () => {
    await start()
    const token = accounts.issuer.account()
    const before = accounts.keyFetches
    // However long this takes, the clock does not move.
    advanceClock(0)
    for (let round = 0; round < 10; round++) {
      const forged = Array.from({ length: 100 }, () => service.withToken('/account', accounts.issuer.account({ key: signingKey() })))
      const good = [service.withToken('/account', token), service.withToken('/client', accounts.issuer.client())]
      expect((await Promise.all(good)).map(({ status }) => status)).toEqual([200, 200])
      expect(new Set((await Promise.all(forged)).map(({ status }) => status))).toEqual(new Set([401]))
    }
    expect(accounts.keyFetches - before).toBeLessThanOrEqual(1)
  })
})

describe('with signing keys that change', () => {
  it('refuses nothing while the key is rotated three times', async () => {
    await start()
    const { issuer } = accounts
    const tokens = [issuer.account()]
    const published = [issuer.keys.account.jwk]
    accounts.issuer.jwks = () => ({ account: [...published], client: [issuer.keys.client.jwk] })
    for (let rotation = 0; rotation < 3; rotation++) {
      const next = signingKey()
      published.push(next.jwk)
      tokens.push(issuer.account())
      await service.app.get(KeyStore).refresh()
      issuer.keys.account = next
      tokens.push(issuer.account())
      const answers = await Promise.all(tokens.map((token) => service.withToken('/account', token)))
      expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200))
    }
  })

  it('accepts the first token of a key that was not published before', async () => {
    await start()
    accounts.issuer.keys.account = signingKey()
    advanceClock(6_000)
    expect(await service.withToken('/account', accounts.issuer.account())).toMatchObject({ status: 200 })
  })

  it('refuses what a withdrawn key signed, before or after the withdrawal', async () => {
    await start()
    const { account: withdrawn } = accounts.issuer.keys
    const token = accounts.issuer.account()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    accounts.issuer.keys.account = signingKey()
    await service.app.get(KeyStore).refresh()
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
    expect(await service.withToken('/account', accounts.issuer.account({ key: withdrawn }))).toMatchObject(invalid())
  })
})

describe('with a token that was verified before', () => {
  it('refuses it once it has expired', async () => {
    await start()
    advanceClock(0)
    const token = accounts.issuer.client({ payload: { exp: seconds() + 10 } })
    expect(await service.withToken('/client', token)).toMatchObject({ status: 200 })
    advanceClock(14_000)
    expect(await service.withToken('/client', token)).toMatchObject({ status: 200 })
    advanceClock(2_000)
    expect(await service.withToken('/client', token)).toMatchObject({ status: 401, body: { code: 'TokenExpired' } })
  })

  it.each([
    ['user', 'sub', 'ep'],
    ['client', 'client_id', 'kep'],
  ] as const)('refuses it once the %s is revoked, and accepts a token of the new epoch', async (kind, claim, epochClaim) => {
    await start()
    const id = `${kind}-00000000-0000-4000-8000-000000000001`
    const token = (epoch: number) => accounts.issuer.client({ payload: { [claim]: id, [epochClaim]: epoch } })
    const old = token(5)
    expect(await service.withToken('/client', old)).toMatchObject({ status: 200 })
    service.app.get(Revocations).record({ kind, id, epoch: 6 })
    expect(await service.withToken('/client', old)).toMatchObject(invalid())
    expect(await service.withToken('/client', token(6))).toMatchObject({ status: 200 })
  })

  it('refuses it once its session has ended', async () => {
    await start()
    const sid = 'session-00000000-0000-4000-8000-000000000001'
    const token = accounts.issuer.account({ payload: { sid } })
    const otherSession = accounts.issuer.account()
    expect(await service.withToken('/account', token)).toMatchObject({ status: 200 })
    service.app.get(Revocations).record({ kind: 'session', id: sid, epoch: 1 })
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
    expect(await service.withToken('/account', otherSession)).toMatchObject({ status: 200 })
  })
})

async function start(): Promise<void> {
  service = await startService(accounts.options(), noMessaging())
}
