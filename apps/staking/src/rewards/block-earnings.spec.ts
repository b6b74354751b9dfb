import { type BlockPayments, blockEarningsOf } from './block-earnings.js'

const OWN = Buffer.alloc(20, 1)
const BUILDER = Buffer.alloc(20, 2)
const OTHER = Buffer.alloc(20, 3)

describe(blockEarningsOf, () => {
  it('sums what is above the base fee if the block names an address of ours', () => {
    expect(blockEarningsOf(block({ feeRecipient: OWN }), [OTHER, OWN])).toEqual({ state: 'fees', amountWei: 2n * 21_000n + 10n })
  })

  it('is the value that the builder sent with the last transaction', () => {
    expect(blockEarningsOf(block(), [OWN])).toEqual({ state: 'payment', amountWei: 500n })
  })

  it.each<[string, Partial<BlockPayments>]>([
    ['went to someone else', { lastTransaction: { from: BUILDER, to: OTHER, valueWei: 500n } }],
    ['came from someone else', { lastTransaction: { from: OTHER, to: OWN, valueWei: 500n } }],
    ['created a contract', { lastTransaction: { from: BUILDER, to: undefined, valueWei: 500n } }],
    ['failed', { receipts: [{ gasUsed: 1n, effectiveGasPrice: 1n, succeeded: false }] }],
    ['is missing', { lastTransaction: undefined, receipts: [] }],
  ])('is unverified if the last transaction %s', (_, overrides) => {
    expect(blockEarningsOf(block(overrides), [OWN])).toEqual({ state: 'unverified', amountWei: 0n })
  })
})

function block(overrides: Partial<BlockPayments> = {}): BlockPayments {
  const receipts = [
    { gasUsed: 21_000n, effectiveGasPrice: 9n, succeeded: false },
    { gasUsed: 10n, effectiveGasPrice: 8n, succeeded: true },
  ]
  return { feeRecipient: BUILDER, baseFeePerGas: 7n, lastTransaction: { from: BUILDER, to: OWN, valueWei: 500n }, receipts, ...overrides }
}
