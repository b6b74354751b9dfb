import { FEE_BANDS, mempoolSizeOf } from './fee-bands.js'

describe(mempoolSizeOf, () => {
  it('lists every band, lowest first, each up to the next', () => {
    const { bands } = mempoolSizeOf([])
    expect(bands.map(({ from }) => from)).toEqual(FEE_BANDS)
    expect(bands.slice(0, 2)).toEqual([
      { from: 0, to: 1, txlength: 0, vsize: 0, feesSat: exactly('0') },
      { from: 1, to: 2, txlength: 0, vsize: 0, feesSat: exactly('0') },
    ])
    expect(bands.at(-1)).toMatchObject({ from: 500, to: null })
  })

  it('sums all transactions, including those in no band', () => {
    const size = mempoolSizeOf([
      { rate: -1, transactions: 1, vsize: 300, fees: 0n },
      { rate: 2, transactions: 2, vsize: 400, fees: 1_000n },
      { rate: 500, transactions: 1, vsize: 100, fees: 2n ** 60n },
    ])
    expect(size).toMatchObject({ txlength: 4, vsize: 800, feesSat: exactly(String(2n ** 60n + 1_000n)) })
    expect(size.bands.filter(({ txlength }) => txlength !== 0)).toEqual([
      { from: 2, to: 3, txlength: 2, vsize: 400, feesSat: exactly('1000') },
      { from: 500, to: null, txlength: 1, vsize: 100, feesSat: exactly(String(2n ** 60n)) },
    ])
  })
})

function exactly(digits: string): unknown {
  return JSON.rawJSON(digits)
}
