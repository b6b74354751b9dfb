import fc from 'fast-check'
import { bookArrival, bookEpoch, type EpochFacts, isUnexplained, type LedgerLine } from './epoch-booking.js'

const ETH = 1_000_000_000n

describe(bookEpoch, () => {
  it('keeps closing = opening - withdrawals + deposits + rewards - penalties + rounding, whatever happens', () => {
    fc.assert(fc.property(anyFacts, (facts) => expect(closingBy(facts.openingGwei, bookEpoch(facts))).toBe(facts.closingGwei)))
  })

  it('books no negative reward and no negative penalty', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { rewardsGwei, penaltiesGwei } = bookEpoch(facts)
        expect(rewardsGwei >= 0n && penaltiesGwei >= 0n).toBe(true)
      }),
    )
  })

  it('adds up over any split of a history', () => {
    const history = fc.array(fc.record({ ...movements }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(history, fc.nat(), (epochs, at) => {
        let opening = 32n * ETH
        const lines = epochs.map((epoch) => {
          const line = bookEpoch({ ...epoch, openingGwei: opening })
          opening = epoch.closingGwei
          return line
        })
        const cut = at % (lines.length + 1)
        expect(plus(total(lines.slice(0, cut)), total(lines.slice(cut)))).toEqual(total(lines))
        expect(closingBy(32n * ETH, total(lines))).toBe(opening)
      }),
    )
  })

  it('splits a balance change into what the chain paid and charged', () => {
    const parts = { gainedGwei: 30n, lostGwei: 10n }
    expect(bookEpoch(facts({ closingGwei: 32n * ETH + 20n, parts }))).toEqual(line({ rewardsGwei: 30n, penaltiesGwei: 10n }))
  })

  it('shows the remainder as rounding', () => {
    const parts = { gainedGwei: 30n, lostGwei: 0n }
    expect(bookEpoch(facts({ closingGwei: 32n * ETH + 28n, parts }))).toEqual(line({ rewardsGwei: 30n, roundingGwei: -2n }))
  })

  it('books what a slashed validator lost beside its rewards as a penalty', () => {
    const parts = { gainedGwei: 0n, lostGwei: 5n }
    const slashed = facts({ closingGwei: 32n * ETH - 7_812_505n, slashed: true, parts })
    expect(bookEpoch(slashed)).toEqual(line({ penaltiesGwei: 7_812_505n }))
    expect(isUnexplained(slashed)).toBe(false)
  })

  it.each([
    ['a gain', 12n, { rewardsGwei: 12n }],
    ['a loss', -12n, { penaltiesGwei: 12n }],
    ['an unknown deposit', ETH, { depositsGwei: ETH }],
  ])('books %s without a breakdown', (_, net, expected) => {
    expect(bookEpoch(facts({ closingGwei: 32n * ETH + net }))).toEqual(line({ ...expected, isUnbroken: true }))
  })

  it('books no reward for principal that was added or withdrawn', () => {
    const parts = { gainedGwei: 9n, lostGwei: 0n }
    expect(bookEpoch(facts({ closingGwei: 64n * ETH + 9n, parts }))).toEqual(line({ rewardsGwei: 9n, depositsGwei: 32n * ETH }))
    expect(bookEpoch(facts({ closingGwei: 9n, parts }))).toEqual(line({ rewardsGwei: 9n, depositsGwei: -32n * ETH }))
  })
})

describe(isUnexplained, () => {
  it.each([
    [4n, false],
    [-4n, false],
    [5n, true],
    [-5n, true],
  ])('tolerates a rounding of 4 gwei: %s is unexplained: %s', (rest, expected) => {
    expect(isUnexplained(facts({ closingGwei: 32n * ETH + rest, parts: { gainedGwei: 0n, lostGwei: 0n } }))).toBe(expected)
  })
})

describe(bookArrival, () => {
  it('books all that a new validator has and was paid as its deposit', () => {
    expect(bookArrival({ closingGwei: 32n * ETH, withdrawnGwei: ETH })).toEqual(line({ depositsGwei: 33n * ETH, withdrawalsGwei: ETH }))
  })
})

const gwei = fc.bigInt(0n, 3n * ETH)
const movements = {
  closingGwei: fc.bigInt(0n, 2048n * ETH),
  withdrawnGwei: gwei,
  creditedGwei: fc.bigInt(-ETH, 40n * ETH),
  slashed: fc.boolean(),
  parts: fc.option(fc.record({ gainedGwei: gwei, lostGwei: gwei }), { nil: undefined }),
}
const anyFacts: fc.Arbitrary<EpochFacts> = fc.record({ openingGwei: fc.bigInt(0n, 2048n * ETH), ...movements })

function closingBy(openingGwei: bigint, { withdrawalsGwei, depositsGwei, rewardsGwei, penaltiesGwei, roundingGwei }: LedgerLine): bigint {
  return openingGwei - withdrawalsGwei + depositsGwei + rewardsGwei - penaltiesGwei + roundingGwei
}

function total(lines: readonly LedgerLine[]): LedgerLine {
  return lines.reduce(plus, line())
}

function plus(one: LedgerLine, other: LedgerLine): LedgerLine {
  return {
    withdrawalsGwei: one.withdrawalsGwei + other.withdrawalsGwei,
    depositsGwei: one.depositsGwei + other.depositsGwei,
    rewardsGwei: one.rewardsGwei + other.rewardsGwei,
    penaltiesGwei: one.penaltiesGwei + other.penaltiesGwei,
    roundingGwei: one.roundingGwei + other.roundingGwei,
    isUnbroken: one.isUnbroken || other.isUnbroken,
  }
}

function facts(overrides: Partial<EpochFacts> = {}): EpochFacts {
  return {
    openingGwei: 32n * ETH,
    closingGwei: 32n * ETH,
    withdrawnGwei: 0n,
    creditedGwei: 0n,
    slashed: false,
    parts: undefined,
    ...overrides,
  }
}

function line(overrides: Partial<LedgerLine> = {}): LedgerLine {
  return { withdrawalsGwei: 0n, depositsGwei: 0n, rewardsGwei: 0n, penaltiesGwei: 0n, roundingGwei: 0n, isUnbroken: false, ...overrides }
}
