import fc from 'fast-check'
import { parseBlock, parseHeader } from '../src/block.js'
import { type Coin, formatOf } from '../src/chain-rules.js'
import { MalformedData } from '../src/malformed.js'
import { parseTransaction } from '../src/transaction.js'
import { arbitraryTransaction, buffer, coin } from './arbitraries.js'
import { compactSize, serialize, uint32 } from './serialise.js'
import { bytes, vectors } from './vectors.js'

const real = vectors<{ valid: string[] }>('core-tx').valid.map(bytes)
const blocks = vectors<[string, string][]>('bitcoin-blocks').map(([, hex]) => bytes(hex))
const mweb = vectors<{ blocks: [number, string][]; transactions: [string, string, string][] }>('litecoin-mweb')
const PARSERS: [string, (raw: Buffer, coin: Coin) => unknown, Buffer[]][] = [
  ['a transaction', parseTransaction, [...real, ...mweb.transactions.map(([, , hex]) => bytes(hex))]],
  ['a block', parseBlock, [...blocks, ...mweb.blocks.map(([, hex]) => bytes(hex))]],
]

describe('a transaction', () => {
  it('is what was written', () => {
    fc.assert(
      fc.property(arbitraryTransaction, coin, (written, coin) => {
        const witnesses = formatOf(coin).witness ? written.witnesses : []
        const raw = serialize({ ...written, witnesses })
        const parsed = parseTransaction(raw, coin)
        const { version, lockTime, inputs, outputs } = parsed
        expect({ version, lockTime, inputs, outputs, raw: parsed.raw }).toEqual({
          version: written.version,
          lockTime: written.lockTime,
          inputs: written.inputs,
          outputs: written.outputs,
          raw,
        })
        expect(parsed.txid).toEqual(parseTransaction(serialize({ ...written, witnesses: [] }), coin).txid)
      }),
    )
  })

  it('ends where it ends', () => {
    fc.assert(
      fc.property(arbitraryTransaction, buffer(1, 20), (written, rest) => {
        expect(() => parseTransaction(Buffer.concat([serialize({ ...written, witnesses: [] }), rest]), 'bch')).toThrow(MalformedData)
      }),
    )
  })
})

describe.each(PARSERS)('%s', (_, parse, examples) => {
  it('is malformed wherever it is cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...examples), coin, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (raw, coin, part) => {
        const cut = raw.subarray(0, Math.floor(part * raw.length))
        expectParsedOrMalformed(() => parse(cut, coin))
      }),
      { numRuns: 1000 },
    )
  })

  it('is malformed or another one where bytes change', () => {
    const change = fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255))
    fc.assert(
      fc.property(fc.constantFrom(...examples), coin, fc.array(change, { minLength: 1, maxLength: 4 }), (raw, coin, changes) => {
        const changed = Buffer.from(raw)
        for (const [part, value] of changes) changed[Math.floor(part * changed.length)] = value
        expectParsedOrMalformed(() => parse(changed, coin))
      }),
      { numRuns: 2000 },
    )
  })

  it('is not found in noise', () => {
    fc.assert(
      fc.property(buffer(0, 400), coin, (noise, coin) => expectParsedOrMalformed(() => parse(noise, coin))),
      { numRuns: 2000 },
    )
  })
})

describe('a count or a length that cannot be true', () => {
  const start = uint32(2)
  const input = Buffer.concat([Buffer.alloc(36), compactSize(0), uint32(0)])
  const huge = Buffer.from('feffffffff', 'hex')
  const endless = Buffer.from('ffffffffffffffffff', 'hex')

  it.each([
    ['inputs', [start, huge]],
    ['inputs, of 64 bits', [start, endless]],
    ['bytes of an input script', [start, compactSize(1), Buffer.alloc(36), huge]],
    ['outputs', [start, compactSize(1), input, huge]],
    ['bytes of an output script', [start, compactSize(1), input, compactSize(1), Buffer.alloc(8), huge]],
    ['witness items', [start, Buffer.of(0, 1), compactSize(1), input, compactSize(0), huge]],
    ['bytes of a witness item', [start, Buffer.of(0, 1), compactSize(1), input, compactSize(0), compactSize(1), huge]],
  ])('ends at once: 2^32 %s', (_, parts) => {
    const raw = Buffer.concat([...parts, Buffer.alloc(100)])
    expect(() => parseTransaction(raw, 'btc')).toThrow(MalformedData)
  })

  it('ends at once: 2^32 transactions', () => {
    expect(() => parseBlock(Buffer.concat([Buffer.alloc(80), huge, Buffer.alloc(1000)]), 'btc')).toThrow(MalformedData)
  })
})

describe('a transaction that says the same in more bytes', () => {
  const [example] = real as [Buffer]

  it.each(['fd0100', 'fe01000000', 'ff0100000000000000'])('is refused: one input written %s', (count) => {
    const raw = Buffer.concat([example.subarray(0, 4), bytes(count), example.subarray(5)])
    expect(example[4]).toBe(1)
    expect(() => parseTransaction(raw, 'btc')).toThrow(MalformedData)
  })

  it('is refused: witnesses announced, none given', () => {
    const input = { txid: Buffer.alloc(32, 1), vout: 0, script: Buffer.alloc(0), sequence: 0 }
    const legacy = serialize({ version: 1, lockTime: 0, inputs: [input], outputs: [] })
    const raw = Buffer.concat([legacy.subarray(0, 4), Buffer.of(0, 1), legacy.subarray(4, -4), Buffer.of(0), legacy.subarray(-4)])
    expect(() => parseTransaction(raw, 'btc')).toThrow(new MalformedData('The transaction announces witnesses and has none.'))
  })
})

it.each([0, 79, 81])('a header has no %i bytes', (length) => {
  expect(() => parseHeader(Buffer.alloc(length))).toThrow(MalformedData)
})

function expectParsedOrMalformed(parse: () => unknown): void {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof MalformedData)) throw error
  }
}
