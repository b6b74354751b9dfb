import { Blueprint } from '../../src/catalogue/blueprint.js'
import { VERIFIED_AT } from '../../src/catalogue/entries.js'
import { Broken } from '../fake-driver.js'
import { intercepted } from '../intercepted.js'

/** What changes something, by the names that Ec2Calls gives them. */
export const CHANGES = new Set(['createVolume', 'launch', 'numberLaunch', 'attach', 'resize', 'deleteVolume', 'start', 'stop', 'terminate'])

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
    amiPrefix: 'trestle-core-31.0-',
    instanceType: 'm6i.large',
    verifiedAt: VERIFIED_AT,
    ...more,
  })
}

/** Calls that change so many things, and then do nothing any more. */
export function breaking<T extends object>(calls: T, steps: number): T {
  let left = steps
  return intercepted(calls, CHANGES, (name, call) => {
    if (left-- <= 0) throw new Broken(name)
    return call()
  })
}
