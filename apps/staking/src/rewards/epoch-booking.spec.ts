import fc from 'fast-check'
import { bookArrival, bookEpoch, type EpochFacts, type LedgerLine, needsPrincipal } from './epoch-booking.js'

const ETH = 1_000_000_000n

describe(bookEpoch, () => {
  it('keeps closing = opening - withdrawals + deposits + rewards - penalties + rounding + unexplained, whatever happens', () => {
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
  })

  it.each([
    ['a gain', 12n, { rewardsGwei: 12n }],
    ['a loss', -12n, { penaltiesGwei: 12n }],
    ['what no epoch earns', ETH, { unexplainedGwei: ETH }],
    ['what no epoch costs', -ETH, { unexplainedGwei: -ETH }],
  ])('books %s without a breakdown if all principal is known', (_, net, expected) => {
    expect(bookEpoch(facts({ closingGwei: 32n * ETH + net }))).toEqual(line({ ...expected, isUnbroken: true }))
  })

  it.each([12n, -12n, ETH])('books %s apart if neither a breakdown nor all principal is known', (net) => {
    const unknown = facts({ closingGwei: 32n * ETH + net, principalGwei: undefined })
    expect(bookEpoch(unknown)).toEqual(line({ unexplainedGwei: net, isUnbroken: true }))
  })

  it('books no reward for principal that nobody shows', () => {
    const parts = { gainedGwei: 9n, lostGwei: 0n }
    expect(bookEpoch(facts({ closingGwei: 64n * ETH + 9n, parts }))).toEqual(line({ rewardsGwei: 9n, unexplainedGwei: 32n * ETH }))
    expect(bookEpoch(facts({ closingGwei: 9n, parts }))).toEqual(line({ rewardsGwei: 9n, unexplainedGwei: -32n * ETH }))
  })

  it('books 1 ETH that was topped up as a deposit, and what was lost beside it as a penalty', () => {
    const topUp = facts({ closingGwei: 33n * ETH - 1_144n, principalGwei: ETH })
    expect(bookEpoch(topUp)).toEqual(line({ depositsGwei: ETH, penaltiesGwei: 1_144n, isUnbroken: true }))
  })

  it('books what inactivity leaks as a penalty, and no other loss that no node reports', () => {
    const parts = { gainedGwei: 0n, lostGwei: 100n }
    const leaked = facts({ closingGwei: 32n * ETH - 700n, parts })
    expect(bookEpoch({ ...leaked, isLeaking: true })).toEqual(line({ penaltiesGwei: 700n }))
    expect(bookEpoch(leaked)).toEqual(line({ penaltiesGwei: 100n, unexplainedGwei: -600n }))
    const gained = facts({ closingGwei: 32n * ETH + 700n, parts, isLeaking: true })
    expect(bookEpoch(gained)).toEqual(line({ penaltiesGwei: 100n, unexplainedGwei: 800n }))
  })

  it('charges no more than there is, and invents no reward that cancels the rest', () => {
    const paidOut = { openingGwei: 32n * ETH, withdrawnGwei: 32n * ETH, closingGwei: 0n }
    expect(bookEpoch(facts({ ...paidOut, parts: { gainedGwei: 0n, lostGwei: 500n } }))).toEqual(line({ withdrawalsGwei: 32n * ETH }))
    expect(bookEpoch(facts({ openingGwei: 200n, closingGwei: 7n, parts: { gainedGwei: 7n, lostGwei: 500n } }))).toEqual(
      line({ rewardsGwei: 7n, penaltiesGwei: 200n }),
    )
  })
})

describe(needsPrincipal, () => {
  it.each([
    [4n, false],
    [-4n, false],
    [5n, true],
    [-5n, true],
  ])('tolerates a rounding of 4 gwei: %s needs it: %s', (rest, expected) => {
    expect(needsPrincipal(facts({ closingGwei: 32n * ETH + rest, parts: { gainedGwei: 0n, lostGwei: 0n } }))).toBe(expected)
  })

  it('is always so without a breakdown', () => {
    expect(needsPrincipal(facts())).toBe(true)
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
  principalGwei: fc.option(fc.bigInt(-ETH, 40n * ETH), { nil: undefined }),
  effectiveGwei: fc.bigInt(0n, 2048n * ETH),
  slashed: fc.boolean(),
  isLeaking: fc.boolean(),
  parts: fc.option(fc.record({ gainedGwei: gwei, lostGwei: gwei }), { nil: undefined }),
}
const anyFacts: fc.Arbitrary<EpochFacts> = fc.record({ openingGwei: fc.bigInt(0n, 2048n * ETH), ...movements })

function closingBy(openingGwei: bigint, { withdrawalsGwei, depositsGwei, rewardsGwei, penaltiesGwei, ...line }: LedgerLine): bigint {
  return openingGwei - withdrawalsGwei + depositsGwei + rewardsGwei - penaltiesGwei + line.roundingGwei + line.unexplainedGwei
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
    unexplainedGwei: one.unexplainedGwei + other.unexplainedGwei,
    isUnbroken: one.isUnbroken || other.isUnbroken,
  }
}

function facts(overrides: Partial<EpochFacts> = {}): EpochFacts {
  return {
    openingGwei: 32n * ETH,
    closingGwei: 32n * ETH,
    withdrawnGwei: 0n,
    principalGwei: 0n,
    effectiveGwei: 32n * ETH,
    isLeaking: false,
    slashed: false,
    parts: undefined,
    ...overrides,
  }
}

function line(overrides: Partial<LedgerLine> = {}): LedgerLine {
  const amounts = { withdrawalsGwei: 0n, depositsGwei: 0n, rewardsGwei: 0n, penaltiesGwei: 0n, roundingGwei: 0n, unexplainedGwei: 0n }
  return { ...amounts, isUnbroken: false, ...overrides }
}
