import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'
import { partial } from '../testing/partial.js'
import { mebibytes, missingOf, offersOf } from './services.js'

function service(chain: CatalogueService['chain'], more: Partial<CatalogueService> = {}): CatalogueService {
  return partial<CatalogueService>({ chain, network: 'mainnet', disabled: false, missing: null, ...more })
}

describe(offersOf, () => {
  it('groups by chain and network, without disabled services', () => {
    const offers = offersOf([service('btc'), service('ltc', { disabled: true }), service('btc'), service('btc', { network: 'regtest' })])
    expect(offers.map(({ id, services }) => [id, services.length])).toEqual([
      ['btc/mainnet', 2],
      ['btc/regtest', 1],
    ])
  })

  it('cannot be made where each of it lacks something', () => {
    const missing = offersOf([service('bch', { missing: 'No program.' }), service('bch', { missing: 'No program.' })])
    expect(missing.map(missingOf)).toEqual(['No program.'])
    expect(offersOf([service('bch', { missing: 'Too large.' }), service('bch')]).map(missingOf)).toEqual([undefined])
  })

  it('has sizes as machines have them', () => {
    expect([256, 1024, 16_384, 1229 * 1024].map(mebibytes)).toEqual(['256 MiB', '1 GiB', '16 GiB', '1.2 TiB'])
  })
})
