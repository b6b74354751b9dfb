import { formatAddress } from './address.js'
import { parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'
import { isNetworkName, NETWORK_NAMES, networkOf } from './network.js'
import { depositDomain, exitDomain } from './signing.js'

describe(networkOf, () => {
  it.each([
    ['mainnet', 1, '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
    ['hoodi', 560_048, '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
    ['sepolia', 11_155_111, '0x7f02C3E3c98b133055B8B348B2Ac625669Ed295D'],
  ] as const)('knows %s', (name, chainId, contract) => {
    const network = networkOf(name)
    expect(network).toMatchObject({ name, chainId })
    expect(formatAddress(network.depositContract)).toBe(contract)
  })

  it('takes what a node says where it is what is known', () => {
    const { name, ...facts } = networkOf('hoodi')
    expect(networkOf(name, facts)).toEqual({ name, ...facts })
  })

  it.each([
    ['chainId', 2],
    ['genesisForkVersion', parseHex('00000001')],
    ['capellaForkVersion', parseHex('04000000')],
    ['genesisValidatorsRoot', Buffer.alloc(32)],
    ['depositContract', Buffer.alloc(20)],
  ])('refuses a node of mainnet with another %s', (fact, value) => {
    expect(() => networkOf('mainnet', { [fact]: value })).toThrow(InvalidEthereumData)
  })

  it('believes the node of a dev chain', () => {
    const genesisValidatorsRoot = Buffer.alloc(32, 7)
    expect(networkOf('dev', { chainId: undefined }).chainId).toBe(1337)
    expect(networkOf('dev', { chainId: 31_337, genesisValidatorsRoot })).toMatchObject({
      name: 'dev',
      chainId: 31_337,
      genesisValidatorsRoot,
    })
  })
})

it('a network is known by its name', () => {
  expect(NETWORK_NAMES.every(isNetworkName)).toBe(true)
  expect(['', 'Mainnet', 'holesky', 'constructor'].some(isNetworkName)).toBe(false)
})

describe('the domains of a network', () => {
  it.each([
    [
      'mainnet',
      '03000000f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a9',
      '04000000bba4da96354c9f25476cf1bc69bf583a7f9e0af049305b62de676640',
    ],
    [
      'hoodi',
      '03000000719103511efa4f1362ff2a50996cccf329cc84cb410c5e5c7d351d03',
      '0400000072bbc3705de0766b1ea9cfd60f0a5cc5f2dca3b942b222e8320b035b',
    ],
    [
      'sepolia',
      '03000000d3010778cd08ee514b08fe67b6c503b510987a4ce43f42306d97c67c',
      '0400000047eb72b3be36f08feffcaba760f0a2ed78c1a85f0654941a0d19d0fa',
    ],
  ] as const)('are those of %s', (name, deposit, exit) => {
    expect(depositDomain(networkOf(name)).toString('hex')).toBe(deposit)
    expect(exitDomain(networkOf(name)).toString('hex')).toBe(exit)
  })

  it('are those of the minimal preset on dev', () => {
    expect(depositDomain(networkOf('dev')).toString('hex')).toBe('0300000018ae4ccbda9538839d79bb18ca09e23e24ae8c1550f56cbb3d84b053')
  })
})
