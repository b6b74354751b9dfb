import { jest } from '@jest/globals'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Subject } from 'rxjs'
import { signingKey, TestIssuer } from '../test/issuer.js'
import { AuthDataAge } from './auth-data-age.js'
import { KeySource, KeyStore } from './key-store.js'
import type { Revocations } from './revocations.js'

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

describe(KeyStore, () => {
  it('throws 503 before the first load, and finds keys after it', async () => {
    const { source, store } = setup()
    source.failure = new Error('away')
    await expect(store.find('account', source.accountKid)).rejects.toMatchObject({ code: 'KeysUnavailable', status: 503 })
    source.failure = undefined
    await jest.advanceTimersByTimeAsync(5_000)
    expect(await store.find('account', source.accountKid)).toMatchObject({ type: 'public', asymmetricKeyType: 'ec' })
  })

  it('fetches every second until the first load, and every minute after it', async () => {
    const { source, store } = setup()
    source.failure = new Error('away')
    store.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(3_500)
    expect(source.fetches).toBe(4)
    source.failure = undefined
    await jest.advanceTimersByTimeAsync(500)
    expect(store.has('client', source.clientKid)).toBe(true)
    await jest.advanceTimersByTimeAsync(60_000)
    expect(source.fetches).toBe(6)
    store.onModuleDestroy()
    await jest.advanceTimersByTimeAsync(600_000)
    expect(source.fetches).toBe(6)
  })

  it('keeps the last keys while the source is away', async () => {
    const { source, store, metrics, readiness } = setup()
    store.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(0)
    source.failure = new Error('away')
    await jest.advanceTimersByTimeAsync(2 * 3_600_000)
    expect(source.fetches).toBeGreaterThan(100)
    expect(await store.find('account', source.accountKid)).toBeDefined()
    expect(await metrics.registry.metrics()).toContain('auth_age_seconds{of="keys"} 7200')
    expect(await readiness.report()).toEqual({ ready: true, checks: { keys: 'ok' } })
    store.onModuleDestroy()
  })

  it('is not ready before the first load', async () => {
    const { readiness, metrics } = setup()
    expect(await readiness.report()).toMatchObject({
      ready: false,
      checks: { keys: 'failed' },
      reasons: { keys: 'the keys were never read' },
    })
    expect(await metrics.registry.metrics()).not.toContain('auth_age_seconds{')
  })

  it('fetches once in five seconds for any number of unknown keys, and still finds the known ones', async () => {
    const { source, store } = setup()
    await store.refresh()
    for (let second = 0; second < 20; second++) {
      const found = await Promise.all(Array.from({ length: 1000 }, (_, n) => store.find('account', `random-${second}-${n}`)))
      expect(found.every((key) => key === undefined)).toBe(true)
      expect(await store.find('account', source.accountKid)).toBeDefined()
      await jest.advanceTimersByTimeAsync(1_000)
    }
    // The load, and one at 5, 10 and 15 seconds.
    expect(source.fetches).toBe(4)
  })

  it('fetches a new key as soon as a token names it', async () => {
    const { source, store } = setup()
    await store.refresh()
    const key = signingKey()
    source.keys.account.push(key.jwk)
    await jest.advanceTimersByTimeAsync(5_000)
    expect(await store.find('account', key.kid)).toBeDefined()
  })

  it('waits for a fetch that is under way', async () => {
    const { source, store } = setup()
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
    source.arrival = arrival
    const loading = store.refresh()
    const finding = [store.find('account', source.accountKid), store.find('client', source.clientKid)]
    arrive()
    await loading
    expect(await Promise.all(finding)).toEqual([expect.anything(), expect.anything()])
    expect(source.fetches).toBe(1)
  })

  it('drops a key that the source withdrew', async () => {
    const { source, store } = setup()
    await store.refresh()
    source.keys.account = [signingKey().jwk]
    await store.refresh()
    expect(store.has('account', source.accountKid)).toBe(false)
    expect(await store.find('account', source.accountKid)).toBeUndefined()
  })

  it('drops a compromised key at once, fetches its successor, and does not take it back', async () => {
    const { source, store, compromise } = setup()
    store.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(0)
    expect(store.has('account', source.accountKid)).toBe(true)
    compromise(source.accountKid)
    expect(store.has('account', source.accountKid)).toBe(false)
    expect(await store.find('account', source.accountKid)).toBeUndefined()

    // A replica of the issuer that has not heard yet is asked again a second later.
    await jest.advanceTimersByTimeAsync(0)
    expect(store.has('account', source.accountKid)).toBe(false)
    const successor = signingKey()
    source.keys.account = [successor.jwk]
    await jest.advanceTimersByTimeAsync(1_000)
    expect(store.has('account', successor.kid)).toBe(true)
    expect(source.fetches).toBe(3)
    await jest.advanceTimersByTimeAsync(59_000)
    expect(source.fetches).toBe(3)
    store.onModuleDestroy()
  })

  it('does not find a key of one kind among those of the other', async () => {
    const { source, store } = setup()
    await store.refresh()
    expect(await store.find('client', source.accountKid)).toBeUndefined()
    expect(store.has('account', source.clientKid)).toBe(false)
  })

  it.each([
    ['no keys of a family', () => ({ account: [signingKey().jwk], client: [] })],
    ['a key that is no point of the curve', () => ({ account: [{ ...signingKey().jwk, x: 'AAAA' }], client: [signingKey().jwk] })],
  ])('keeps its keys when the source answers with %s', async (_, answer) => {
    const { source, store } = setup()
    await store.refresh()
    source.keys = answer()
    await store.refresh()
    expect(store.has('account', source.accountKid)).toBe(true)
  })
})

class TestKeySource extends KeySource {
  keys = new TestIssuer().jwks()
  readonly accountKid = this.keys.account[0]?.kid ?? ''
  readonly clientKid = this.keys.client[0]?.kid ?? ''
  failure: Error | undefined
  fetches = 0
  arrival = Promise.resolve()

  async fetch() {
    this.fetches++
    await this.arrival
    if (this.failure) throw this.failure
    return { account: [...this.keys.account], client: [...this.keys.client] }
  }
}

function setup() {
  const source = new TestKeySource()
  const readiness = new Readiness()
  const metrics = new Metrics()
  const compromised = new Set<string>()
  const changes = new Subject<void>()
  const revocations = { changes, isCompromised: (kid: string) => compromised.has(kid) } as unknown as Revocations
  const store = new KeyStore(source, revocations, createLogger('test', 'silent'), new AuthDataAge(readiness, metrics))
  const compromise = (kid: string) => {
    compromised.add(kid)
    changes.next()
  }
  return { source, store, readiness, metrics, compromise }
}
