import fc from 'fast-check'
import { arbitraryBytes, network } from '../test/arbitraries.js'
import { parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'
import { networkOf } from './network.js'
import { credentialsKindOf, withdrawalAddressOf, withdrawalCredentialsOf } from './withdrawal-credentials.js'

const ADDRESS = parseHex('0f51bb10119727a7e5ea3538074fb341f56b09ad')

describe(withdrawalCredentialsOf, () => {
  it.each([
    ['execution', '0100000000000000000000000f51bb10119727a7e5ea3538074fb341f56b09ad'],
    ['compounding', '0200000000000000000000000f51bb10119727a7e5ea3538074fb341f56b09ad'],
  ] as const)('are those of deposit tools: %s', (kind, credentials) => {
    expect(withdrawalCredentialsOf(ADDRESS, kind, networkOf('mainnet')).toString('hex')).toBe(credentials)
  })

  it('say their address and kind', () => {
    fc.assert(
      fc.property(arbitraryBytes(20), fc.constantFrom('execution', 'compounding'), network, (address, kind, network) => {
        const credentials = withdrawalCredentialsOf(address, kind, network)
        expect(withdrawalAddressOf(credentials)).toEqual(address)
        expect(credentialsKindOf(credentials)).toBe(kind)
      }),
    )
  })

  it.each([
    ['the zero address', Buffer.alloc(20), 'Nobody has the key of the zero address.'],
    [
      'the deposit contract',
      networkOf('mainnet').depositContract,
      'The deposit contract cannot be a withdrawal address: it never pays out.',
    ],
    ['half an address', Buffer.alloc(10, 1), 'An address has 20 bytes, not 10.'],
  ])('are not made of %s', (_, address, message) => {
    expect(() => withdrawalCredentialsOf(address, 'execution', networkOf('mainnet'))).toThrow(new InvalidEthereumData(message))
  })
})

describe(withdrawalAddressOf, () => {
  it.each([
    ['of a BLS key', `00${'ab'.repeat(31)}`],
    ['of a kind there is not yet', `03${'00'.repeat(11)}${'ab'.repeat(20)}`],
    ['with something before the address', `0101${'00'.repeat(10)}${'ab'.repeat(20)}`],
  ])('is none of credentials %s', (_, credentials) => {
    expect(withdrawalAddressOf(parseHex(credentials))).toBeUndefined()
  })

  it('is asked of 32 bytes only', () => {
    expect(() => withdrawalAddressOf(Buffer.alloc(31, 1))).toThrow(InvalidEthereumData)
  })
})
