import { readGroupEnv } from '../env.js'
import { environmentOf, groupedChains } from './chain-environment.js'

const SHARED = {
  ...{ NODE_ENV: 'test', HOST: '127.0.0.1', INTERNAL_PORT: '5999', PUBLIC_URL: 'https://trestle.test', NATS_URL: 'nats://127.0.0.1' },
  ...{ CHAINS: 'eth,base,polygon', CALL_TIMEOUT_MS: '9000' },
}
const OWN = {
  ...{ ETH_UPSTREAMS: 'a=http://127.0.0.1:1', BASE_UPSTREAMS: 'b=http://127.0.0.1:2', POLYGON_UPSTREAMS: 'c=http://127.0.0.1:3' },
  ...{ ETH_DATABASE_URL: 'postgres://e@h/d', BASE_DATABASE_URL: 'postgres://b@h/d', POLYGON_DATABASE_URL: 'postgres://p@h/d' },
}

describe(groupedChains, () => {
  it.each([
    [undefined, []],
    ['', []],
    ['eth', ['eth']],
    [' eth, base,', ['eth', 'base']],
  ])('are of %j: %j', (CHAINS, expected) => {
    expect(groupedChains({ CHAINS })).toEqual(expected)
  })

  it('are no chain twice', () => {
    expect(() => groupedChains({ CHAINS: 'eth,base,eth' })).toThrow('CHAINS: eth is listed twice')
  })
})

describe(environmentOf, () => {
  const of = (source: Record<string, string>, name = 'base') =>
    environmentOf({ name, port: 4024 }, source, {
      variables: ['UPSTREAMS', 'WORKERS', 'CACHE_MB', 'PORT', 'INTERNAL_PORT', 'BASE_PATH', 'DATABASE_URL', 'CHAIN_ID'],
      chains: 4,
    })

  it('has what is named for the chain in place of what is named for all', () => {
    expect(of({ BASE_WORKERS: '3', WORKERS: '2', BASE_DATABASE_URL_FILE: '/run/secrets/base' })).toMatchObject({
      WORKERS: '3',
      DATABASE_URL_FILE: '/run/secrets/base',
    })
    expect(of({ BASE_WORKERS: '', WORKERS: '2' })).toMatchObject({ WORKERS: '2' })
    expect(of({ MY_CHAIN_UPSTREAMS: 'a' }, 'my-chain')).toMatchObject({ UPSTREAMS: 'a', BASE_PATH: '/my-chain' })
  })

  it('has nothing that belongs to another chain, or to the group', () => {
    const environment = of({
      UPSTREAMS: 'x',
      DATABASE_URL: 'x',
      CHAIN_ID: '1',
      PORT: '80',
      INTERNAL_PORT: '5000',
      BASE_PATH: '/x',
      CHAINS: 'base,eth',
      ETH_UPSTREAMS: 'e',
    })
    expect(environment).toMatchObject({ CHAIN: 'base', CHAINS: '', UPSTREAMS: '', DATABASE_URL: '', CHAIN_ID: '' })
    expect(environment).toMatchObject({ PORT: '4024', INTERNAL_PORT: '5024', BASE_PATH: '/base' })
  })

  it('leaves alone what only looks like a variable of the chain', () => {
    expect(of({ PATH: '/usr/bin', BASE_PATH: '/eth' }).PATH).toBe('/usr/bin')
    expect(of({ INTERNAL_PORT: '5000' }, 'internal').PORT).toBe('4024')
  })

  it('shares the memory of the cache, and has one worker', () => {
    expect(of({})).toMatchObject({ CACHE_MB: '64', WORKERS: '1' })
    expect(of({ CACHE_MB: '2', BASE_CACHE_MB: '512' })).toMatchObject({ CACHE_MB: '512' })
    expect(of({ CACHE_MB: '2' })).toMatchObject({ CACHE_MB: '1' })
  })
})

describe(readGroupEnv, () => {
  it('is none of a process that serves one chain', () => {
    expect(readGroupEnv({ CHAIN: 'eth' })).toBeUndefined()
  })

  it('has each chain as a deployment of its own has it', () => {
    const group = readGroupEnv({ ...SHARED, ...OWN, POLYGON_FINALITY_DEPTH: '300' })
    expect(group).toMatchObject({ INTERNAL_PORT: 5999, HOST: '127.0.0.1' })
    expect(
      group?.chains.map(({ env }) => [
        env.DEPLOYMENT,
        env.CHAIN_ID,
        env.PORT,
        env.RULES.finality,
        env.UPSTREAMS[0]?.name,
        env.CALL_TIMEOUT_MS,
      ]),
    ).toEqual([
      ['eth', 1, 4020, 'beacon', 'a', 9000],
      ['base', 8453, 4024, 'l1', 'b', 9000],
      ['polygon', 137, 4027, { depth: 300 }, 'c', 9000],
    ])
  })

  it.each([
    [{ BASE_UPSTREAMS: '' }, 'base, of CHAINS: The environment is not valid:\n  UPSTREAMS: is required'],
    [
      { BASE_DATABASE_URL: '', DATABASE_URL: 'postgres://all@h/d' },
      'base, of CHAINS: The environment is not valid:\n  DATABASE_URL: is required',
    ],
    [{ CHAINS: 'eth,nochain' }, 'nochain is no EVM chain with a record'],
    [{ CHAINS: 'eth,btc' }, 'btc is no EVM chain with a record'],
  ])('is refused with %j', (wrong, message) => {
    expect(() => readGroupEnv({ ...SHARED, ...OWN, ...wrong })).toThrow(message)
  })
})
