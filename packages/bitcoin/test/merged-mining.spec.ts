import fc from 'fast-check'
import { hashOfHeader, parseBlock } from '../src/block.js'
import { MalformedData } from '../src/malformed.js'
import { parseTransaction } from '../src/transaction.js'
import { arbitraryTransaction, buffer } from './arbitraries.js'
import { compactSize, serialize, uint32 } from './serialise.js'

const AUX_POW = 0x100

const branch = fc.array(buffer(32), { maxLength: 6 })
const proof = fc.record({ coinbase: arbitraryTransaction, parentHash: buffer(32), branch, chainBranch: branch, parent: buffer(80) })
const block = fc.record({
  version: fc.integer(),
  rest: buffer(76),
  proof,
  transactions: fc.array(
    arbitraryTransaction.filter(({ outputs }) => outputs.length > 0).map((written) => ({ ...written, witnesses: [] })),
    { maxLength: 4 },
  ),
})

describe('a block of a chain with merged mining', () => {
  it('is known by its own header, and holds its own transactions, whatever proves its work', () => {
    fc.assert(
      fc.property(block, ({ version, rest, proof, transactions }) => {
        const header = Buffer.concat([uint32((version | AUX_POW) >>> 0), rest])
        const body = Buffer.concat([compactSize(transactions.length), ...transactions.map(serialize)])
        const raw = Buffer.concat([header, proofBytes(proof), body])
        const parsed = parseBlock(raw, 'doge')
        expect(parsed.header).toMatchObject({ raw: header, hash: hashOfHeader(header, 'doge') })
        expect(parsed.transactions).toEqual(transactions.map((written) => parseTransaction(serialize(written), 'doge')))
        expect(parsed.raw).toBe(raw)
      }),
    )
  })

  it('has no proof where its version says so', () => {
    fc.assert(
      fc.property(block, ({ version, rest, transactions }) => {
        const header = Buffer.concat([uint32((version & ~AUX_POW) >>> 0), rest])
        const raw = Buffer.concat([header, compactSize(transactions.length), ...transactions.map(serialize)])
        expect(parseBlock(raw, 'doge').transactions).toHaveLength(transactions.length)
      }),
    )
  })

  it('is malformed wherever its proof is cut', () => {
    fc.assert(
      fc.property(block, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), ({ rest, proof }, part) => {
        const bytes = proofBytes(proof)
        const raw = Buffer.concat([uint32(AUX_POW), rest, bytes.subarray(0, Math.floor(part * bytes.length))])
        expect(() => parseBlock(raw, 'doge')).toThrow(MalformedData)
      }),
    )
  })
})

describe('an output', () => {
  it('may have more than 2^53 of the smallest unit where so many coins are, and nowhere else', () => {
    const rich = arbitraryTransaction.map((written) => ({
      ...written,
      witnesses: [],
      outputs: [{ value: 10n ** 18n, script: Buffer.alloc(0) }],
    }))
    fc.assert(
      fc.property(rich, (written) => {
        expect(parseTransaction(serialize(written), 'doge').outputs).toEqual(written.outputs)
        expect(() => parseTransaction(serialize(written), 'btc')).toThrow(MalformedData)
        const beyond = [{ value: 10n ** 18n + 1n, script: Buffer.alloc(0) }]
        expect(() => parseTransaction(serialize({ ...written, outputs: beyond }), 'doge')).toThrow(MalformedData)
      }),
    )
  })
})

type Proof = typeof proof extends fc.Arbitrary<infer P> ? P : never

function proofBytes({ coinbase, parentHash, branch, chainBranch, parent }: Proof): Buffer {
  const index = uint32(0)
  return Buffer.concat([
    serialize(coinbase),
    parentHash,
    ...[branch, chainBranch].flatMap((hashes) => [compactSize(hashes.length), ...hashes, index]),
    parent,
  ])
}
