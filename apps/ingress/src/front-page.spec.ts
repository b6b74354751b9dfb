import { deploymentsOf } from '@trestle/contracts/areas'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { chainDiscovery } from '@trestle/contracts/chains/discovery'
import { chainsPage, frontPage } from './front-page.js'

const chains = servedChains({ names: 'doge:testnet,base,etc' })
const here = {
  chains,
  deployments: deploymentsOf(chains),
  upstreams: new Map([
    ['doge', []],
    ['base', []],
    ['accounts', []],
  ]),
}
const asked = (url: string, method = 'GET') => ({ method, url, headers: { host: 'trestle.example' } })

describe(chainsPage, () => {
  it('describes the chains that are deployed, as the contract says', () => {
    const described = chainDiscovery.list.reply.parse(JSON.parse(chainsPage(asked('/chains?'), here) ?? ''))
    expect(described).toEqual([
      expect.objectContaining({
        name: 'doge',
        title: 'Dogecoin',
        family: 'bitcoin',
        network: 'testnet',
        chainId: null,
        unit: 'DOGE',
        decimals: 8,
      }),
      expect.objectContaining({ name: 'base', family: 'evm', chainId: 8453, basePath: '/base', url: 'http://trestle.example/base' }),
    ])
  })

  it('uses the public address that is configured', () => {
    expect(chainsPage(asked('/chains'), { ...here, publicUrl: 'https://public.example' })).toContain('"url":"https://public.example/base"')
  })

  it('is served at no other path, and only to reads', () => {
    expect([chainsPage(asked('/chains/x'), here), chainsPage(asked('/chains', 'POST'), here)]).toEqual([undefined, undefined])
  })
})

describe(frontPage, () => {
  it('links to what is deployed', () => {
    expect(JSON.parse(frontPage(asked('/'), here) ?? '')).toMatchObject({
      areas: { accounts: '/accounts', doge: '/doge', base: '/base' },
    })
  })
})
