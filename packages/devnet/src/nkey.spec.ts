import { publicNkey } from '@trestle/contracts/nats/nkey'
import { newNatsSeed } from './nkey.js'

describe(publicNkey, () => {
  it.each([
    ['SUAHI6WGNH6WVK4FN3CIM2RHROKCEFDIXQHLOV2ZYPBOKLNW2BJBZL5FI4', 'UCKKO5EXDPRN44G3IPOISPFFGWDFLPRYG3T2LLENLE4FOEDL2SKYM6QI'],
    ['SUAKGH5SN2LP5LXIVGHY4WIMDX5GFD5HNH4U7YJHHTNIZFWQYDSL24FBFM', 'UBVFITOXVHESKPNCMNPM2IECWVM2S5DG4BVZXCRB5XV2SW5O4N2YCNQF'],
    ['SUABAWUBHJVQOQNRMC3OXFZC5IK3A63FCNUWYVPOYNYLEHB64L6GVA2MFU', 'UA5UI45GWA32FEY4RISUEXF4WQPUFVBR7BHVKQSDRZO43RTZQKX7G244'],
  ])('is what the library of NATS computes: %s', (seed, nkey) => {
    expect(publicNkey(seed)).toBe(nkey)
  })

  it('belongs to a new seed', () => {
    const seed = newNatsSeed()
    expect(seed).toMatch(/^SU[A-Z2-7]{56}$/)
    expect(publicNkey(seed)).toMatch(/^U[A-Z2-7]{55}$/)
    expect(newNatsSeed()).not.toBe(seed)
  })
})
