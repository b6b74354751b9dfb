import type { ValidatorDay } from '@trestle/contracts/staking/performance'
import type { BillingEntry } from '@trestle/contracts/staking/reports'
import type { Validator } from '@trestle/contracts/staking/validators'
import { sumOf } from '../parts/amount.js'
import { partial } from '../testing/partial.js'
import { billedValidators, billingRows, billingTotals as billTotalsOf } from './billing-sums.js'
import { effectivenessOf, runningNet, sumEarned } from './earned.js'
import { formatEth, formatPercent } from './money.js'
import { aprsOf, filterValidators, refreshMs, validatorTotals } from './validator-list.js'

describe('money', () => {
  it('is added and written to the wei', () => {
    expect(sumOf(['9007199254740993', 1n, '-4'])).toBe(9007199254740990n)
    expect(formatEth('32000000000000000001')).toBe('32.000000000000000001 ETH')
    expect(formatEth(32_000_000_000_000_000_001n, 4)).toBe('32 ETH')
  })

  it('is told in percent with two decimals', () => {
    expect(formatPercent(8820.5464)).toBe('8,820.55 %')
  })
})

describe(runningNet, () => {
  const day = partial<ValidatorDay>({ consensusRewards: '10', consensusPenalties: '3', executionRewards: '5', executionPenalties: '0' })

  it('adds up what was earned, less what was lost', () => {
    expect(runningNet([[], [day], [day, day]].map(sumEarned))).toEqual([0n, 12n, 36n])
  })
})

describe(effectivenessOf, () => {
  it('is what was earned of what there was to earn', () => {
    expect(effectivenessOf({ consensusApr: 3 }, { consensusApr: 4 })).toBe(75)
    expect(effectivenessOf({ consensusApr: 3 }, { consensusApr: 0 })).toBeUndefined()
  })
})

describe('a list of validators', () => {
  const validators = [
    validator({ pubkey: 'ab12', index: 70, status: 'active', balance: '32000000000000000001' }),
    validator({ pubkey: 'cd34', index: null, status: 'pending', region: 'us' }),
    validator({ pubkey: 'ef56', status: 'slashed', balance: '31000000000000000000' }),
  ]
  const keys = (text: string, status?: Validator['status']) => filterValidators(validators, text, status).map(({ pubkey }) => pubkey)

  it('is searched by key, index, address and region, in either case', () => {
    expect(keys('')).toEqual(['ab12', 'cd34', 'ef56'])
    expect(keys(' 0xAB ')).toEqual(['ab12'])
    expect(keys('70')).toEqual(['ab12'])
    expect(keys('us')).toEqual(['cd34'])
    expect(keys('0x5AAEB')).toEqual(['ab12', 'cd34', 'ef56'])
    expect(keys('', 'slashed')).toEqual(['ef56'])
    expect(keys('ab', 'slashed')).toEqual([])
  })

  it('is counted', () => {
    expect(validatorTotals(validators)).toEqual({ balance: 63_000_000_000_000_000_001n, active: 1, pending: 1, leaving: 0, troubled: 1 })
  })

  it('is asked for more often while something is under way', () => {
    expect(refreshMs([validator({ phase: 'queued' })])).toBeLessThan(refreshMs([validator({ phase: 'active', status: 'active' })]))
    expect(refreshMs(undefined)).toBe(30_000)
  })
})

describe(aprsOf, () => {
  it('reads the rates of those that have been active', () => {
    const report = 'chain,pubkey,region,activatedAt,apr\r\ndev,ab12,"eu, ""1""",2026-11-22T00:00:00.000Z,3.25\r\ndev,cd34,us,,0\r\n'
    expect([...aprsOf(report)]).toEqual([['ab12', 3.25]])
  })

  it.each(['', 'chain,apr\r\ndev,3\r\n', 'pubkey\r\nab12\r\n'])('finds none in %j', (report) => {
    expect(aprsOf(report).size).toBe(0)
  })
})

describe('a bill', () => {
  const amounts = { rewards: '9007199254740993', penalties: '2', fees: '1', rewardsAfterFees: '9007199254740990' }
  const bill = {
    ...{ ...amounts, chain: 'dev', totalActiveValidators: 1, totalInactiveValidators: 1 },
    validatorsActive: [{ pubkey: 'ab12', ...amounts, activeDays: 2, runningDays: 3 }],
    validatorsInactive: [{ pubkey: 'cd34', runningDays: 3 }],
  }
  const rows = billingRows([partial<BillingEntry>({ user: 'user-1', userEmail: 'a@b', userName: 'Ann', validatorsPerChain: [bill, bill] })])

  it('adds up all users and chains, to the wei', () => {
    expect(billTotalsOf(rows)).toEqual({
      ...{ rewards: 18014398509481986n, penalties: 4n, fees: 2n, rewardsAfterFees: 18014398509481980n },
      ...{ active: 2, inactive: 2 },
    })
  })

  it('lists those that were active and those that were not', () => {
    expect(billedValidators(rows).map(({ pubkey, userName, rewards }) => [pubkey, userName, rewards])).toEqual([
      ['ab12', 'Ann', amounts.rewards],
      ['cd34', 'Ann', undefined],
      ['ab12', 'Ann', amounts.rewards],
      ['cd34', 'Ann', undefined],
    ])
  })
})

function validator(overrides: Partial<Validator>): Validator {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  return partial<Validator>({
    index: null,
    region: 'eu',
    withdrawalAddress: address,
    feeAddress: address,
    balance: '0',
    status: 'pending',
    phase: 'active',
    ...overrides,
  })
}
