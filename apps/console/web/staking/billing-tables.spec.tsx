import type { ValidatorDay } from '@trestle/contracts/staking/performance'
import type { BillingEntry } from '@trestle/contracts/staking/reports'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { BillingTables } from './billing-tables.js'
import { sumEarned } from './earned.js'
import { ethHeight, ethLabel, formatEth, formatPercent } from './money.js'

describe(BillingTables, () => {
  const amounts = { rewards: '3000000000000000000', penalties: '1', fees: '2', rewardsAfterFees: '2999999999999999997' }
  const bill = {
    ...amounts,
    chain: 'dev',
    totalActiveValidators: 1,
    totalInactiveValidators: 1,
    totalCurrentValidators: 2,
    validatorsActive: [{ pubkey: 'ab'.repeat(48), slashed: false, activeDays: 2, runningDays: 3, ...amounts }],
    validatorsInactive: [{ pubkey: 'cd'.repeat(48), slashed: true, runningDays: 3 }],
  }
  const page = rendered(
    <BillingTables
      entries={[partial<BillingEntry>({ user: 'user-1', userEmail: 'ann@example.org', userName: 'Ann', validatorsPerChain: [bill] })]}
    />,
  )

  it('has the totals, a row by user and one by validator', () => {
    expect(page.text).toContain('1 of 2 active')
    expect(page.text).toContain('Ann (ann@example.org)')
    expect(page.rows.filter(([first]) => first?.startsWith('0x')).map((row) => row.slice(2, 5))).toEqual([
      ['2 of 3', 'no', '3'],
      ['0 of 3', 'yes', '–'],
    ])
  })
})

describe('money', () => {
  it.each([
    [0, '0'],
    [0.000_012_345_6, '0.00001235'],
    [31.999_99, '32'],
  ])('labels %d as %s', (value, expected) => {
    expect(ethLabel(value)).toBe(expected)
  })

  it.each([
    [0, '0.00 %'],
    [3.005, '3.01 %'],
    [1234.5, '1,234.50 %'],
  ])('writes %d as %s', (value, expected) => {
    expect(formatPercent(value)).toBe(expected)
  })

  it('draws gwei, and writes wei', () => {
    expect([ethHeight(32n * 10n ** 18n), ethHeight(999_999_999n), ethHeight(-(10n ** 18n))]).toEqual([32, 0, -1])
    expect([formatEth('1'), formatEth(0n), formatEth('1500000000000000000', 1)]).toEqual(['0.000000000000000001 ETH', '0 ETH', '1.5 ETH'])
  })

  it('sums rewards and penalties of both layers', () => {
    const day = partial<ValidatorDay>({ consensusRewards: '10', consensusPenalties: '3', executionRewards: '5', executionPenalties: '1' })
    expect(sumEarned([day, day])).toEqual({ consensus: 20n, execution: 10n, penalties: 8n })
    expect(sumEarned([])).toEqual({ consensus: 0n, execution: 0n, penalties: 0n })
  })
})
