import fc from 'fast-check'
import { uint64 } from '../test/arbitraries.js'
import { InvalidEthereumData } from './malformed.js'
import { parseUint64, uint64LittleEndian } from './uint64.js'

describe(parseUint64, () => {
  it('reads what was written', () => {
    fc.assert(fc.property(uint64, (value) => expect(parseUint64(String(value))).toBe(value)))
  })

  it.each(['', '-1', '+1', '01', '1.0', '1e3', '0x1', ' 1', '1\n', '18446744073709551616', '9'.repeat(100_000)])(
    'refuses %.30j',
    (text) => {
      expect(() => parseUint64(text)).toThrow(InvalidEthereumData)
    },
  )
})

describe(uint64LittleEndian, () => {
  it('puts the lowest byte first', () => {
    expect(uint64LittleEndian(32_000_000_000n).toString('hex')).toBe('0040597307000000')
  })

  it.each([-1n, 2n ** 64n])('refuses %s', (value) => {
    expect(() => uint64LittleEndian(value)).toThrow(InvalidEthereumData)
  })
})
