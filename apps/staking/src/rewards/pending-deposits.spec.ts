import { creditedGwei, type QueuedDeposit } from './pending-deposits.js'

describe(creditedGwei, () => {
  it('is what waits no longer', () => {
    expect(credited([waiting(), waiting({ amountGwei: 5n })], [waiting()])).toEqual({ aa: 5n })
  })

  it('tells two deposits that are alike from one', () => {
    expect(credited([waiting(), waiting()], [waiting()])).toEqual({ aa: 1n })
  })

  it('does not count what has come to wait', () => {
    expect(credited([], [waiting()])).toEqual({})
  })

  it('counts what was set aside by a switch to compounding as gone until it is back', () => {
    const aside = waiting({ slot: 0, amountGwei: 7n })
    expect(credited([], [aside])).toEqual({ aa: -7n })
    expect(credited([aside], [])).toEqual({ aa: 7n })
  })
})

function credited(before: QueuedDeposit[], after: QueuedDeposit[]): Record<string, bigint> {
  return Object.fromEntries(creditedGwei(before, after))
}

function waiting(overrides: Partial<QueuedDeposit> = {}): QueuedDeposit {
  return { pubkey: Buffer.from('aa', 'hex'), amountGwei: 1n, slot: 9, ...overrides }
}
