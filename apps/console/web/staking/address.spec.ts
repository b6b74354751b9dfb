import { checkAddress, checksummed } from './address.js'

// The examples of EIP-55.
const EXAMPLES = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

describe(checkAddress, () => {
  it.each(EXAMPLES)('takes %s, and notices one letter of another size', (address) => {
    expect(checkAddress(address)).toBe('right')
    const letter = /[a-fA-F]/.exec(address.slice(2))!.index + 2
    const other = (text: string) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase())
    expect(checkAddress(address.slice(0, letter) + other(address[letter]!) + address.slice(letter + 1))).toBe('misspelt')
  })

  it.each(EXAMPLES)('cannot tell of %s in small or in large letters', (address) => {
    const digits = address.slice(2)
    expect(checkAddress(`0x${digits.toLowerCase()}`)).toBe('unchecked')
    expect(checkAddress(`0x${digits.toUpperCase()}`)).toBe('unchecked')
    expect(checksummed(`0x${digits.toUpperCase()}`)).toBe(address)
  })

  it.each(['', '0x', 'vitalik.eth', `0x${'a'.repeat(39)}`, `0x${'a'.repeat(41)}`, `0x${'g'.repeat(40)}`, 'a'.repeat(40)])(
    'refuses "%s"',
    (text) => {
      expect(checkAddress(text)).toBe('malformed')
    },
  )

  it('refuses the zero address, which is its own checksum', () => {
    expect(checkAddress(`0x${'0'.repeat(40)}`)).toBe('zero')
  })
})
