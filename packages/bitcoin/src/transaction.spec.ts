import { serialize } from '../test/serialise.js'
import { bytes } from '../test/vectors.js'
import { MalformedData } from './malformed.js'
import { parseTransaction, type TransactionInput } from './transaction.js'

const WITH_WITNESS =
  '020000000001010101010101010101010101010101010101010101010101010101010101010101000000000000000000010100000000000000015101016100000000'

describe(parseTransaction, () => {
  it.each(['btc', 'ltc'] as const)('leaves the witness of %s out of the id and not out of the size', (coin) => {
    const { txid, raw } = parseTransaction(bytes(WITH_WITNESS), coin)
    expect(raw).toHaveLength(WITH_WITNESS.length / 2)
    const { txid: legacy } = parseTransaction(
      bytes(WITH_WITNESS.replace('020000000001', '02000000').replace('01016100000000', '00000000')),
      coin,
    )
    expect(txid).toEqual(legacy)
  })

  it('knows no witness on Bitcoin Cash', () => {
    expect(() => parseTransaction(bytes(WITH_WITNESS), 'bch')).toThrow(new MalformedData('The transaction has no inputs.'))
  })

  it.each([
    [noTxid(), 0xffff_ffff, true],
    [noTxid(), 0, false],
    [Buffer.alloc(32, 1), 0xffff_ffff, false],
  ])('tells a coinbase by what it spends: %j %i', (txid, vout, isCoinbase) => {
    expect(parseTransaction(spending([input({ txid, vout })]), 'btc').isCoinbase).toBe(isCoinbase)
  })

  it('takes no transaction with two inputs for a coinbase', () => {
    const nothing = input({ txid: noTxid(), vout: 0xffff_ffff })
    expect(parseTransaction(spending([nothing, nothing]), 'btc').isCoinbase).toBe(false)
  })

  const paying = (...values: bigint[]) =>
    serialize({ version: 1, lockTime: 0, inputs: [input()], outputs: values.map((value) => ({ value, script: Buffer.alloc(0) })) })

  it('reads the highest amount exactly, and refuses a higher one', () => {
    // All the litecoins there will ever be.
    for (const value of [0n, 8_400_000_000_000_000n, 2n ** 53n - 1n])
      expect(parseTransaction(paying(value), 'ltc').outputs[0]?.value).toBe(value)
    for (const value of [2n ** 53n, 2n ** 63n, 2n ** 64n - 1n])
      expect(() => parseTransaction(paying(value), 'ltc')).toThrow(new MalformedData('An output has more than there can be.'))
  })

  it.each([
    ['ltc', 2n ** 52n, 2n ** 52n - 1n],
    ['doge', 6n * 10n ** 17n, 4n * 10n ** 17n],
  ] as const)('refuses outputs of %s that have too much together', (coin, one, other) => {
    expect(parseTransaction(paying(one, other), coin).outputs).toHaveLength(2)
    expect(() => parseTransaction(paying(one, other + 1000n), coin)).toThrow(new MalformedData('The outputs have more than there can be.'))
  })

  it('reads version and sequence with the sign the node prints', () => {
    const { version, inputs } = parseTransaction(serialize({ version: -1_703_168_784, lockTime: 0, inputs: [input()], outputs: [] }), 'btc')
    expect([version, inputs[0]?.sequence]).toEqual([-1_703_168_784, 0xffff_fffe])
  })
})

function spending(inputs: readonly TransactionInput[]): Buffer {
  return serialize({ version: 1, lockTime: 0, inputs, outputs: [] })
}

function noTxid(): Buffer {
  return Buffer.alloc(32)
}

function input(overrides: Partial<TransactionInput> = {}): TransactionInput {
  return { txid: Buffer.alloc(32, 1), vout: 0, script: Buffer.alloc(0), sequence: 0xffff_fffe, ...overrides }
}
