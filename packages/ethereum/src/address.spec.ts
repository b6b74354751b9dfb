import fc from 'fast-check'
import { arbitraryBytes } from '../test/arbitraries.js'
import { formatAddress, parseAddress } from './address.js'
import { InvalidEthereumData } from './malformed.js'

describe('EIP-55', () => {
  // The test cases of the document: all upper, all lower, and mixed by the checksum.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('writes %s so', (address) => {
    expect(formatAddress(parseAddress(address))).toBe(address)
  })
})

describe(parseAddress, () => {
  it('reads what was written, and what has no checksum', () => {
    fc.assert(
      fc.property(arbitraryBytes(20), (bytes) => {
        const address = formatAddress(bytes)
        for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
          expect(parseAddress(text)).toEqual(bytes)
      }),
    )
  })

  it('refuses a mixed address of which the case of one letter changed', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    for (let index = 2; index < address.length; index++) {
      const character = address[index]!
      const changed = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
      const text = address.slice(0, index) + changed + address.slice(index + 1)
      if (text !== address)
        expect(() => parseAddress(text)).toThrow('The address has a wrong checksum in its upper and lower case (EIP-55).')
    }
  })

  it.each([
    '',
    '0x',
    '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg',
    '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    'vitalik.eth',
  ])('refuses %j', (text) => {
    expect(() => parseAddress(text)).toThrow(InvalidEthereumData)
  })
})

it('no address has another length', () => {
  expect(() => formatAddress(Buffer.alloc(19))).toThrow(new InvalidEthereumData('An address has 20 bytes, not 19.'))
})
