import fc from 'fast-check'
import { sha256d } from '../src/hash.js'
import { MalformedData } from '../src/malformed.js'
import { parseTransaction } from '../src/transaction.js'
import { virtualSize } from '../src/virtual-size.js'
import { arbitraryTransaction, buffer } from './arbitraries.js'
import { serialize } from './serialise.js'

// DIP 2.
const special = fc
  .record({
    written: arbitraryTransaction,
    version: fc.integer({ min: 3, max: 0x7fff }),
    type: fc.integer({ min: 1, max: 0xffff }),
    extraPayload: buffer(0, 400),
  })
  .map(({ written, ...rest }) => ({ ...written, ...rest, witnesses: [] }))

describe('a special transaction', () => {
  it('is what was written, and its id is of all its bytes', () => {
    fc.assert(
      fc.property(special, ({ witnesses: _, ...written }) => {
        const raw = serialize(written)
        const parsed = parseTransaction(raw, 'dash')
        expect(parsed).toEqual({ ...written, raw, txid: sha256d(raw).reverse(), isCoinbase: parsed.isCoinbase })
        expect(virtualSize(parsed)).toBe(raw.length)
      }),
    )
  })

  it('is malformed wherever it is cut, and where something follows', () => {
    fc.assert(
      fc.property(special, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (written, part) => {
        const raw = serialize(written)
        expect(() => parseTransaction(raw.subarray(0, Math.floor(part * raw.length)), 'dash')).toThrow(MalformedData)
        expect(() => parseTransaction(Buffer.concat([raw, Buffer.of(0)]), 'dash')).toThrow(MalformedData)
      }),
    )
  })

  it('is not one before version 3, and not on other chains', () => {
    fc.assert(
      fc.property(arbitraryTransaction, fc.integer({ min: 0, max: 2 }), (written, version) => {
        const raw = serialize({ ...written, version, witnesses: [] })
        expect(parseTransaction(raw, 'dash')).toMatchObject({ version, raw })
        expect(parseTransaction(raw, 'dash')).not.toHaveProperty('extraPayload')
      }),
    )
    fc.assert(fc.property(special, (written) => expect(() => parseTransaction(serialize(written), 'btc')).toThrow(MalformedData)))
  })
})
