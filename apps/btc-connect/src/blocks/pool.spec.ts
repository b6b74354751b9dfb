import { addressOf } from '@trestle/bitcoin/address'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { payToPublicKeyHash } from '@trestle/bitcoin/script'
import { PoolList, poolFinder } from './pool.js'
import { WELL_KNOWN_POOLS } from './well-known-pools.js'

const RULES = chainRules('btc', 'mainnet')
const PAYOUT = payToPublicKeyHash(Buffer.alloc(20, 1))

describe(poolFinder, () => {
  const find = poolFinder(WELL_KNOWN_POOLS, RULES)

  it.each([
    ['\u0003\u0001\u0002/Foundry USA Pool #dropgold/', 'Foundry USA'],
    ['Mined by AntPool usa1', 'AntPool'],
    ['/ViaBTC/Mined by someone/', 'ViaBTC'],
    ['七彩神仙鱼', 'F2Pool'],
    ['< OCEAN.XYZ >', 'OCEAN'],
  ])('finds the pool of %j', (coinbase, poolName) => {
    expect(find({ coinbase: Buffer.from(coinbase), payoutScript: PAYOUT })).toEqual({ poolName, url: expect.stringMatching(/^https:/) })
  })

  it.each(['', '<script>alert(1)</script>', '.*', 'ANTPOO'])('finds no pool for %j', (coinbase) => {
    expect(find({ coinbase: Buffer.from(coinbase), payoutScript: PAYOUT })).toEqual({})
  })

  it('recognises a pool by the address that is paid', () => {
    const pools = PoolList.parse([{ id: 1, name: 'Ours', addresses: [addressOf(PAYOUT, RULES)], tags: [], link: 'https://ours.example' }])
    expect(poolFinder(pools, RULES)({ coinbase: Buffer.alloc(0), payoutScript: PAYOUT })).toEqual({
      poolName: 'Ours',
      url: 'https://ours.example',
    })
  })

  it('returns the first match of the list', () => {
    const pools = PoolList.parse([
      { name: 'First', tags: ['/x/'] },
      { name: 'Second', tags: ['x'] },
    ])
    expect(poolFinder(pools, RULES)({ coinbase: Buffer.from('/x/'), payoutScript: PAYOUT }).poolName).toBe('First')
  })

  it('matches a tag literally, never as a pattern', () => {
    const pools = PoolList.parse([{ name: 'Any', tags: ['.*'] }])
    expect(poolFinder(pools, RULES)({ coinbase: Buffer.from('/x/'), payoutScript: PAYOUT })).toEqual({})
  })
})
