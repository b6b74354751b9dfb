import { planMachines } from './plan.js'

const bitcoind = { variable: 'BITCOIND', images: ['btc', 'btctestnet'], find: async () => '/bitcoind' }
const bitcoinCash = { variable: 'BITCOIN_CASH_NODE', images: ['bch'], find: async () => undefined }
const anvil = {
  variable: 'ANVIL',
  images: ['eth', 'etc'],
  find: async () => {
    throw new Error('There is no anvil.')
  },
}

describe(planMachines, () => {
  it('names the programs that there are, and what can be made of them', async () => {
    expect(await planMachines([bitcoind])).toEqual({
      programs: { BITCOIND: '/bitcoind' },
      images: ['btc', 'btctestnet'],
      notes: [],
    })
  })

  it('leaves out what cannot be had, and says so where it was expected', async () => {
    expect(await planMachines([bitcoinCash, anvil])).toEqual({
      programs: {},
      images: [],
      notes: ['No nodes of eth and etc can be made. There is no anvil.'],
    })
  })
})
