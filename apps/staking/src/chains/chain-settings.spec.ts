import { parseChains } from './chain-settings.js'

const EU = { name: 'eu', signer: { kind: 'keymanager', url: 'http://127.0.0.1:5062', tokenFile: '/token' } }
const HOODI = { name: 'hoodi', beacons: ['http://127.0.0.1:5052'], regions: [EU] }

describe(parseChains, () => {
  it('reads chains with their nodes and regions', () => {
    const us = { name: 'us', signer: { kind: 'web3signer', url: 'https://signer' } }
    expect(parseChains(JSON.stringify([{ ...HOODI, executions: ['http://127.0.0.1:8545'], regions: [EU, us] }]))).toEqual([
      { ...HOODI, archives: [], executions: ['http://127.0.0.1:8545'], regions: [EU, us] },
    ])
  })

  it.each([
    ['no JSON', '{', 'is not JSON'],
    ['no chain', '[]', 'the list must have a chain'],
    ['no list', '{}', 'the list must be a list of chains'],
    ['a chain twice', json(HOODI, HOODI), 'the list has a name twice'],
    ['an unknown chain', json({ ...HOODI, name: 'holesky' }), '0.name must be one of mainnet, hoodi, sepolia, dev'],
    ['no beacon node', json({ ...HOODI, beacons: [] }), '0.beacons must have a URL'],
    ['an URL of another kind', json({ ...HOODI, beacons: ['ftp://user:pass@node'] }), '0.beacons.0 must be an http or https URL'],
    ['a region twice', json({ ...HOODI, regions: [EU, EU] }), '0.regions has a name twice'],
    ['a signer twice', json({ ...HOODI, regions: [EU, { ...EU, name: 'us' }] }), '0.regions has a signer twice'],
    [
      'a signer of no kind',
      json({ ...HOODI, regions: [{ name: 'eu', signer: { url: 'http://x' } }] }),
      'must be of the kind keymanager or web3signer',
    ],
    [
      'a keymanager without token',
      json({ ...HOODI, regions: [{ name: 'eu', signer: { kind: 'keymanager', url: 'http://x' } }] }),
      '0.regions.0.signer.tokenFile is required',
    ],
    ['an unknown member', json({ ...HOODI, beacon: 'http://x' }), 'beacon'],
  ])('refuses %s, saying what is wrong and no value', (_, text, message) => {
    expect(() => parseChains(text)).toThrow(message)
    expect(() => parseChains(text)).not.toThrow('pass')
  })
})

function json(...chains: unknown[]): string {
  return JSON.stringify(chains)
}
