import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { providerKey } from '../../test/identity-provider.js'
import { KeySets } from './key-sets.engine.js'

const URL = 'https://id.example/keys'
const ES256 = { alg: 'ES256' }

describe(KeySets, () => {
  it('fetches a set once for all who need it, and keeps it', async () => {
    const { keySets, provider } = await setUp()
    const found = await Promise.all([keySets.find(URL, { ...ES256, kid: 'one' }), keySets.find(URL, { ...ES256, kid: 'one' })])
    expect(found[0]).toBeDefined()
    expect(found[0]).toBe(found[1])
    expect(await keySets.find(URL, ES256)).toBe(found[0])
    expect(provider.fetched).toBe(1)
  })

  it('looks for an unknown key once a minute, however many are named', async () => {
    const { keySets, provider, clock } = await setUp()
    for (let i = 0; i < 100; i++) expect(await keySets.find(URL, { ...ES256, kid: `unknown ${i}` })).toBeUndefined()
    expect(provider.fetched).toBe(1)
    const other = await providerKey('ES256', 'two')
    provider.keys.push(other.jwk)
    clock.advance(59_999)
    expect(await keySets.find(URL, { ...ES256, kid: 'two' })).toBeUndefined()
    clock.advance(1)
    expect(await keySets.find(URL, { ...ES256, kid: 'two' })).toMatchObject({ kid: 'two' })
    expect(provider.fetched).toBe(2)
  })

  it('has no key of another algorithm, and none where several can be meant', async () => {
    const { keySets, provider } = await setUp()
    provider.keys.push((await providerKey('ES256', 'two')).jwk)
    expect(await keySets.find(URL, { alg: 'RS256', kid: 'one' })).toBeUndefined()
    expect(await keySets.find(URL, ES256)).toBeUndefined()
  })

  it('keeps the same key over refreshes, and drops one that is withdrawn', async () => {
    const { keySets, provider, clock } = await setUp()
    const key = await keySets.find(URL, ES256)
    clock.advance(300_001)
    expect(keySets.current(URL)).toEqual([key])
    await settled()
    expect([provider.fetched, keySets.current(URL)?.[0] === key]).toEqual([2, true])
    provider.keys = [(await providerKey('ES256', 'two')).jwk]
    clock.advance(300_001)
    keySets.current(URL)
    await settled()
    expect(keySets.current(URL)?.map(({ kid }) => kid)).toEqual(['two'])
  })

  it('believes keys for an hour while their provider is away, and asks it once a minute', async () => {
    const { keySets, provider, clock, failures } = await setUp()
    await keySets.find(URL, ES256)
    provider.failure = new Error('it was answered with 503')
    for (let second = 0; second < 3_600; second += 10) {
      clock.advance(10_000)
      expect(keySets.current(URL)).toHaveLength(1)
      await settled()
    }
    expect(provider.fetched).toBeLessThanOrEqual(57)
    clock.advance(10_000)
    await expect(keySets.find(URL, ES256)).rejects.toThrow('it was answered with 503')
    expect(failures.length).toBeGreaterThan(50)
  })

  it.each([
    ['not JSON', 'it is no JWK Set'],
    ['{"keys":7}', 'it is no JWK Set'],
    ['{"keys":[]}', 'it has no key of RS256, ES256 or EdDSA'],
  ])('says of %s why it cannot be used, and tries again after ten seconds', async (text, reason) => {
    const { keySets, provider, clock } = await setUp()
    provider.text = text
    for (let i = 0; i < 10; i++) await expect(keySets.find(URL, ES256)).rejects.toThrow(reason)
    expect(provider.fetched).toBe(1)
    provider.text = undefined
    clock.advance(10_000)
    expect(await keySets.find(URL, ES256)).toBeDefined()
  })

  it('fetches a hundred sets at a time at most: slow hosts do not fill the memory', async () => {
    const { keySets, provider } = await setUp()
    provider.isSlow = true
    const waiting = Array.from({ length: 100 }, (_, i) => keySets.find(`https://slow-${i}.example/keys`, ES256))
    await expect(keySets.find(URL, ES256)).rejects.toThrow('too many others')
    expect(provider.fetched).toBe(100)
    provider.release()
    expect(await Promise.all(waiting)).toHaveLength(100)
  })
})

async function setUp() {
  const clock = new ManualClock()
  const failures: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const provider = {
    keys: [(await providerKey('ES256', 'one')).jwk],
    text: undefined as string | undefined,
    failure: undefined as Error | undefined,
    isSlow: false,
    fetched: 0,
    release: resolve,
    async fetch() {
      provider.fetched++
      if (provider.isSlow) await promise
      if (provider.failure) throw provider.failure
      return provider.text ?? JSON.stringify({ keys: provider.keys })
    },
  }
  return { clock, provider, failures, keySets: new KeySets({ client: provider, clock, onFailure: (url) => failures.push(url) }) }
}

/** Fetches in the background have ended. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
