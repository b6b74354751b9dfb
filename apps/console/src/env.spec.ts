import { deploymentOrigins, readEnv } from './env.js'

describe('the environment', () => {
  it('says where the areas are, and what stands alone of them', () => {
    const env = readEnv({
      ACCOUNTS_URL: 'http://accounts:4000/',
      NODES_URL: 'http://nodes:4002',
      NODES_GATEWAY_URL: 'http://gateway:4002',
      ETC_URL: '',
    })
    expect(deploymentOrigins(env)).toEqual(
      new Map([
        ['accounts', 'http://accounts:4000'],
        ['nodes', 'http://nodes:4002'],
        ['nodes-gateway', 'http://gateway:4002'],
      ]),
    )
    expect(env.PORT).toBe(4100)
  })

  it('refuses what is no address, naming the variable', () => {
    expect(() => readEnv({ STAKING_URL: 'ftp://staking' })).toThrow('STAKING_URL')
  })
})
