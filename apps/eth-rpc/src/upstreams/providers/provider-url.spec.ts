import { CHAINS } from '@trestle/contracts/chains/chains'
import { KEYED_PROVIDERS, PUBLIC_URLS } from './provider-table.js'
import { providedNodes } from './provider-url.js'

const KEY = 'abcdef0123456789'

describe(providedNodes, () => {
  it.each([
    ['alchemy', KEY, 1, `https://eth-mainnet.g.alchemy.com/v2/${KEY}`, `wss://eth-mainnet.g.alchemy.com/v2/${KEY}`],
    ['alchemy', KEY, 8453, `https://base-mainnet.g.alchemy.com/v2/${KEY}`, `wss://base-mainnet.g.alchemy.com/v2/${KEY}`],
    ['infura', KEY, 1, `https://mainnet.infura.io/v3/${KEY}`, `wss://mainnet.infura.io/ws/v3/${KEY}`],
    ['quicknode', `wild-sky/${KEY}`, 1, `https://wild-sky.quiknode.pro/${KEY}/`, `wss://wild-sky.quiknode.pro/${KEY}/`],
    ['quicknode', `wild-sky/${KEY}`, 137, `https://wild-sky.matic.quiknode.pro/${KEY}/`, `wss://wild-sky.matic.quiknode.pro/${KEY}/`],
    [
      'quicknode',
      `wild-sky/${KEY}`,
      43_114,
      `https://wild-sky.avalanche-mainnet.quiknode.pro/${KEY}/ext/bc/C/rpc/`,
      `wss://wild-sky.avalanche-mainnet.quiknode.pro/${KEY}/ext/bc/C/ws/`,
    ],
    ['ankr', KEY, 42_161, `https://rpc.ankr.com/arbitrum/${KEY}`, `wss://rpc.ankr.com/arbitrum/ws/${KEY}`],
    ['drpc', KEY, 10, `https://lb.drpc.org/ogrpc?network=optimism&dkey=${KEY}`, `wss://lb.drpc.org/ogws?network=optimism&dkey=${KEY}`],
    ['chainstack', KEY, 56, `https://bsc-mainnet.core.chainstack.com/${KEY}`, `wss://bsc-mainnet.core.chainstack.com/ws/${KEY}`],
  ])('knows where %s://%s is on chain %i', (provider, key, chainId, url, webSocketUrl) => {
    expect(providedNodes(`${provider}://${key}`, chainId)).toEqual({ provider, endpoints: [{ url, webSocketUrl }], priority: -1 })
  })

  it('knows public nodes, after all others', () => {
    const { endpoints, priority } = providedNodes('public://', 1)!
    expect(endpoints.map(({ url }) => url)).toEqual(['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'])
    expect(priority).toBe(-2)
  })

  it('leaves other addresses alone', () => {
    expect(providedNodes('https://alchemy.example.org/v2/key', 1)).toBeUndefined()
  })

  it.each([
    ['alchemy://', 1, 'must be alchemy://KEY'],
    ['alchemy://s3cret/../admin', 1, 'must be alchemy://KEY'],
    ['infura://s3cret@evil.example.org', 1, 'must be infura://KEY'],
    [`quicknode://${KEY}`, 1, 'must be quicknode://NAME/TOKEN'],
    [`quicknode://evil.example.org/${KEY}`, 1, 'must be quicknode://NAME/TOKEN'],
    [`alchemy://${KEY}`, 61, 'names alchemy, which is not known to serve chain id 61'],
    ['public://', 424_242, 'none are known of chain id 424242'],
  ])('refuses %s on chain %i: it %s', (address, chainId, message) => {
    expect(() => providedNodes(address, chainId)).toThrow(message)
    expect(() => providedNodes(address, chainId)).not.toThrow(/s3cret|evil|abcdef/)
  })

  it('names chains only that have a record, by the ids of those', () => {
    const ids = new Set(CHAINS.flatMap((chain) => (chain.family === 'evm' ? [chain.chainId] : [])))
    const named = [...Object.values(KEYED_PROVIDERS).flatMap(({ networks }) => Object.keys(networks)), ...Object.keys(PUBLIC_URLS)]
    expect(named.filter((id) => !ids.has(Number(id)))).toEqual([])
  })

  it('makes addresses that are valid, of every provider and chain', () => {
    for (const [name, { networks }] of Object.entries(KEYED_PROVIDERS)) {
      const key = name === 'quicknode' ? `wild-sky/${KEY}` : KEY
      for (const id of Object.keys(networks)) {
        const { endpoints } = providedNodes(`${name}://${key}`, Number(id))!
        for (const { url, webSocketUrl } of endpoints) {
          expect([new URL(url).href, new URL(webSocketUrl ?? '').href]).toEqual([url, webSocketUrl])
        }
      }
    }
  })
})
