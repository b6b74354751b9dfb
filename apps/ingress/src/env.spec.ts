import { readEnv } from './env.js'

describe(readEnv, () => {
  it.each([
    ['ACCOUNTS_URL', 'ftp://accounts'],
    ['BTC_URL', 'http://btc/api'],
    ['ETH_URL', 'http://a,,http://b'],
    ['TRUSTED_PROXIES', 'everyone'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ])('names an invalid %s', (name, value) => {
    expect(() => readEnv({ [name]: value })).toThrow(`${name}`)
  })

  it('trusts no proxy by default', () => {
    expect(readEnv({}).TRUSTED_PROXIES.check('127.0.0.1')).toBe(false)
  })

  it('trusts the configured addresses and ranges', () => {
    const { TRUSTED_PROXIES } = readEnv({ TRUSTED_PROXIES: '10.0.0.0/8, fd00::1' })
    expect([TRUSTED_PROXIES.check('10.1.2.3'), TRUSTED_PROXIES.check('fd00::1', 'ipv6'), TRUSTED_PROXIES.check('fd00::2', 'ipv6')]).toEqual(
      [true, true, false],
    )
  })
})

describe('the upstreams', () => {
  it('lists the replicas of what is deployed', () => {
    const { upstreams } = readEnv({ ACCOUNTS_URL: 'http://a:4000, http://b:4000', BTC_URL: '' })
    expect([...upstreams].map(([name, origins]) => [name, origins.map(String)])).toEqual([
      ['accounts', ['http://a:4000/', 'http://b:4000/']],
    ])
  })

  it('are those of the chains that are served, and of no others', () => {
    const { upstreams, chains } = readEnv({
      TRESTLE_CHAINS: 'base,doge',
      BASE_URL: 'http://base',
      DOGE_URL: 'http://doge',
      ETH_URL: 'http://eth',
    })
    expect([[...upstreams.keys()], chains.map(({ name }) => name)]).toEqual([
      ['base', 'doge'],
      ['base', 'doge'],
    ])
    expect(() => readEnv({ TRESTLE_CHAINS: 'base', BASE_URL: 'base' })).toThrow('BASE_URL')
  })
})
