import fc from 'fast-check'
import { arbitraryBytes } from '../test/arbitraries.js'
import { formatHex, parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'

describe(parseHex, () => {
  it('reads what was written, with and without 0x, in both cases', () => {
    fc.assert(
      fc.property(arbitraryBytes(0, 100), (bytes) => {
        const hex = formatHex(bytes)
        for (const text of [hex, hex.slice(2), `0x${hex.slice(2).toUpperCase()}`]) expect(parseHex(text, bytes.length)).toEqual(bytes)
      }),
    )
  })

  it.each(['0', '0x0', '0xg0', ' 00', '00\n', '0X00', '0x0x00', '00 00', '٠٠'])('refuses %j', (text) => {
    expect(() => parseHex(text)).toThrow(InvalidEthereumData)
  })

  it('refuses another length than it is asked for', () => {
    expect(() => parseHex('0x0011', 3)).toThrow(new InvalidEthereumData('There are 2 bytes, not 3.'))
  })
})
