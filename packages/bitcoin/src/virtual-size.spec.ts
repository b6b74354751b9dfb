import fc from 'fast-check'
import { arbitraryTransaction, coin } from '../test/arbitraries.js'
import { serialize } from '../test/serialise.js'
import { parseTransaction } from './transaction.js'
import { virtualSize } from './virtual-size.js'

describe(virtualSize, () => {
  it('counts three bytes without witnesses and one of all for four', () => {
    fc.assert(
      fc.property(arbitraryTransaction, (written) => {
        const whole = serialize(written)
        const stripped = serialize({ ...written, witnesses: [] })
        expect(virtualSize(parseTransaction(whole, 'btc'))).toBe(Math.ceil((3 * stripped.length + whole.length) / 4))
      }),
    )
  })

  it('is the size of a transaction without witnesses, on any chain', () => {
    fc.assert(
      fc.property(arbitraryTransaction, coin, (written, coin) => {
        const raw = serialize({ ...written, witnesses: [] })
        expect(virtualSize(parseTransaction(raw, coin))).toBe(raw.length)
      }),
    )
  })

  it.each([252, 253, 65_535, 65_536])('knows how long the length of a script of %i bytes is', (length) => {
    const output = { value: 1n, script: Buffer.alloc(length) }
    const input = { txid: Buffer.alloc(32, 1), vout: 0, script: Buffer.alloc(0), sequence: 0 }
    const raw = serialize({ version: 2, lockTime: 0, inputs: [input], outputs: [output] })
    expect(virtualSize(parseTransaction(raw, 'btc'))).toBe(raw.length)
  })
})
