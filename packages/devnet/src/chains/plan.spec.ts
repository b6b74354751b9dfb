import { DEPLOYMENTS } from '@trestle/contracts/areas'
import type { BitcoinDaemonName, Daemon } from './daemon.js'
import { planChains } from './plan.js'

const bitcoind: Daemon = { name: 'bitcoind', command: '/b', version: 'Bitcoin Core 29.0.0' }
const litecoind: Daemon = { name: 'litecoind', command: '/l', version: 'Litecoin Core 0.21.2.1' }
const deployed = (...names: string[]) => DEPLOYMENTS.filter(({ name }) => names.includes(name))

describe(planChains, () => {
  it('gives each chain its node', async () => {
    expect(await planChains(deployed('btc', 'ltc'), having(bitcoind, litecoind))).toEqual({
      plans: [
        { deployment: 'btc', chain: 'btc', daemon: bitcoind },
        { deployment: 'ltc', chain: 'ltc', daemon: litecoind },
      ],
      notes: [],
    })
  })

  it('looks for nothing that is not needed', async () => {
    const nobody = () => {
      throw new Error('Nobody asked.')
    }
    expect(await planChains(deployed('accounts', 'staking', 'eth'), nobody)).toEqual({ plans: [], notes: [] })
  })

  it('lets litecoind stand in for bitcoind, and says so', async () => {
    expect(await planChains(deployed('btc'), having(litecoind))).toEqual({
      plans: [{ deployment: 'btc', chain: 'ltc', daemon: litecoind, standsFor: 'bitcoind' }],
      notes: ['At /btc, litecoind stands in for bitcoind, with the rules of Litecoin. There is no bitcoind.'],
    })
  })

  it('leaves out what nothing can serve, and says so', async () => {
    expect(await planChains(deployed('btc', 'bch', 'ltc'), having())).toEqual({
      plans: [],
      notes: [
        '/btc is left out. There is no bitcoind.',
        '/bch is left out. There is no node of bch to be had here.',
        '/ltc is left out. There is no litecoind.',
      ],
    })
  })
})

function having(...daemons: Daemon[]) {
  return async (name: BitcoinDaemonName) => {
    const found = daemons.find((daemon) => daemon.name === name)
    if (!found) throw new Error(`There is no ${name}.`)
    return found
  }
}
