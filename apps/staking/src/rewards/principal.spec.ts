import fc from 'fast-check'
import { bookEpoch } from './epoch-booking.js'
import { consolidatedGwei, type DepositAmount, depositedGwei, processed } from './principal.js'

const ETH = 1_000_000_000n

describe(depositedGwei, () => {
  it('counts the deposits that left the queue', () => {
    expect(deposited([waiting(), waiting(5n)], [], [waiting()])).toEqual({ aa: 5n })
  })

  it('distinguishes two equal deposits from one', () => {
    expect(deposited([waiting(), waiting()], [], [waiting()])).toEqual({ aa: 1n })
  })

  it('does not count deposits that joined the queue', () => {
    expect(deposited([], [waiting()], [waiting()])).toEqual({})
  })

  it('counts a deposit of a block that was credited at once, as before Electra', () => {
    expect(deposited([], [waiting()], [])).toEqual({ aa: 1n })
  })

  it('counts what a switch to compounding sets aside as debited until it is credited', () => {
    expect(deposited([], [], [waiting(7n)])).toEqual({ aa: -7n })
    expect(deposited([waiting(7n)], [], [])).toEqual({ aa: 7n })
  })
})

describe(consolidatedGwei, () => {
  const source = { balanceGwei: 33n * ETH, effectiveBalanceGwei: 32n * ETH, slashed: false }

  it.each([
    ['the effective balance, if there is more', {}, 32n * ETH],
    ['all that there is, if it is less', { balanceGwei: 31n * ETH }, 31n * ETH],
    ['nothing of a slashed one', { slashed: true }, 0n],
  ])('moves %s', (_, overrides, gwei) => {
    expect(consolidatedGwei({ ...source, ...overrides }, 0n, 0n)).toBe(gwei)
  })

  it('counts what was added or paid out before', () => {
    expect(consolidatedGwei({ ...source, balanceGwei: 31n * ETH }, ETH, 2n * ETH)).toBe(30n * ETH)
  })
})

it('finds the consolidations that left the queue', () => {
  const [one, other] = [1, 2].map((sourceIndex) => ({ sourceIndex, targetIndex: 9 }))
  expect(processed([one!, other!], [other!])).toEqual([one])
})

// An independent account: each movement is applied to a balance, one after another, and remembered for what it is.
interface Movement {
  readonly kind: 'reward' | 'penalty' | 'top-up' | 'withdrawal' | 'set-aside' | 'arrival' | 'moved-in'
  readonly gwei: bigint
}

describe('an epoch of a validator, with whatever may happen in it', () => {
  const movement: fc.Arbitrary<Movement> = fc.record({
    kind: fc.constantFrom('reward', 'penalty', 'top-up', 'withdrawal', 'set-aside', 'arrival', 'moved-in'),
    gwei: fc.bigInt(1n, 20_000n),
  })
  const epoch = fc.record({
    movements: fc.array(movement, { maxLength: 12 }),
    hasBreakdown: fc.boolean(),
    hasQueue: fc.boolean(),
  })

  it('is booked as what happened: principal is never a reward, and nobody is billed for what nobody shows', () => {
    fc.assert(
      fc.property(epoch, ({ movements, hasBreakdown, hasQueue }) => {
        const truth = live(movements)
        const parts = hasBreakdown ? { gainedGwei: truth.reward, lostGwei: truth.penalty } : undefined
        const queued = deposited(truth.before, truth.arrived, truth.after).aa ?? 0n
        const principalGwei = hasQueue ? queued + truth.movedIn : undefined
        const facts = { openingGwei: 32n * ETH, closingGwei: truth.closing, withdrawnGwei: truth.withdrawal, effectiveGwei: 32n * ETH }
        const line = bookEpoch({ ...facts, principalGwei, slashed: false, isLeaking: false, parts })
        expect(line.rewardsGwei).toBeLessThanOrEqual(truth.reward)
        expect(line.penaltiesGwei).toBeLessThanOrEqual(truth.penalty)
        if (hasQueue) expect(line).toMatchObject({ depositsGwei: truth.principal, unexplainedGwei: 0n })
        if (hasQueue || hasBreakdown) expect(line.rewardsGwei - line.penaltiesGwei).toBe(truth.reward - truth.penalty)
        else
          expect(line).toMatchObject({ rewardsGwei: 0n, penaltiesGwei: 0n, unexplainedGwei: truth.closing - 32n * ETH + truth.withdrawal })
        if (hasBreakdown && !hasQueue) expect(line.unexplainedGwei + line.roundingGwei).toBe(truth.principal)
      }),
      { seed: 20, numRuns: 5_000 },
    )
  })
})

function live(movements: readonly Movement[]) {
  let [closing, reward, penalty, withdrawal, principal, movedIn] = [32n * ETH, 0n, 0n, 0n, 0n, 0n]
  const [before, arrived, after]: DepositAmount[][] = [[waiting(3n)], [], [waiting(3n)]]
  for (const { kind, gwei } of movements) {
    if (kind === 'reward') [closing, reward] = [closing + gwei, reward + gwei]
    else if (kind === 'penalty') [closing, penalty] = [closing - gwei, penalty + gwei]
    else if (kind === 'withdrawal') [closing, withdrawal] = [closing - gwei * 1_000n, withdrawal + gwei * 1_000n]
    else if (kind === 'arrival') for (const list of [arrived, after]) list!.push(waiting(gwei * ETH))
    else {
      const amount = kind === 'set-aside' ? -gwei * 100n : gwei * ETH
      ;[closing, principal] = [closing + amount, principal + amount]
      if (kind === 'top-up') before!.push(waiting(amount))
      else if (kind === 'set-aside') after!.push(waiting(-amount))
      else movedIn += amount
    }
  }
  return { closing, reward, penalty, withdrawal, principal, movedIn, before: before!, arrived: arrived!, after: after! }
}

function deposited(before: DepositAmount[], arrived: DepositAmount[], after: DepositAmount[]): Record<string, bigint> {
  return Object.fromEntries(depositedGwei(before, arrived, after))
}

function waiting(amountGwei = 1n): DepositAmount {
  return { pubkey: Buffer.from('aa', 'hex'), amountGwei }
}
