import { readEnv } from './env.js'

describe('the environment', () => {
  it('reads the origins of the areas, and of parts that are deployed separately', () => {
    const env = readEnv({
      ACCOUNTS_URL: 'http://accounts:4000/',
      NODES_URL: 'http://nodes:4002',
      NODES_GATEWAY_URL: 'http://gateway:4002',
      ETC_URL: '',
    })
    expect(env.upstreams).toEqual(
      new Map([
        ['accounts', 'http://accounts:4000'],
        ['nodes', 'http://nodes:4002'],
        ['nodes-gateway', 'http://gateway:4002'],
      ]),
    )
    expect(env.PORT).toBe(4100)
  })

  it('refuses a value that is no URL, naming the variable', () => {
    expect(() => readEnv({ STAKING_URL: 'ftp://staking' })).toThrow('STAKING_URL')
  })
})
