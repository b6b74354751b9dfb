import { creditedGwei, type QueuedDeposit } from './pending-deposits.js'

describe(creditedGwei, () => {
  it('counts the deposits that left the queue', () => {
    expect(credited([waiting(), waiting({ amountGwei: 5n })], [waiting()])).toEqual({ aa: 5n })
  })

  it('distinguishes two equal deposits from one', () => {
    expect(credited([waiting(), waiting()], [waiting()])).toEqual({ aa: 1n })
  })

  it('does not count deposits that joined the queue', () => {
    expect(credited([], [waiting()])).toEqual({})
  })

  it('counts what a switch to compounding sets aside as debited until it is credited', () => {
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
