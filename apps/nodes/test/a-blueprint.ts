import { Blueprint } from '../src/catalogue/blueprint.js'
import { VERIFIED_AT } from '../src/catalogue/entries.js'

/** Bitcoin Core on mainnet, for tests of drivers that start no real program. */
export function aBlueprint(more: Partial<Blueprint> = {}): Blueprint {
  return Blueprint.parse({
    serviceId: 'service-6f1d0f0e-0a5c-8b1e-8c2d-3e4f5a6b7c8d',
    chain: 'btc',
    network: 'mainnet',
    daemon: 'bitcoind',
    software: 'core-31.0',
    version: '31.0',
    performance: 'standard',
    cpus: 2,
    memoryMiB: 4096,
    diskGiB: 1229,
    ports: [8332],
    instanceType: 'm6i.large',
    verifiedAt: VERIFIED_AT,
    ...more,
  })
}
