import fc from 'fast-check'
import { type Earned, NO_EARNINGS } from '../rewards/earnings.js'
import { amountsOf, BILLING_HEADER, type BilledValidator, type Billing, billingLines, billUser, weightedCount } from './billing.js'

const USER = { organization: 'org-1', organizationName: '=Org, "Ltd"', user: 'user-1', userEmail: 'a@example.org', userName: '+Ann' }
const BILLING: Billing = { range: { from: '2026-11-01', to: '2026-11-30' }, today: '2026-12-24', feeBasisPoints: 750 }
const SUMMED = [
  ...(['consensusPenalties', 'consensusRewards', 'executionPenalties', 'executionRewards', 'fees', 'penalties', 'rewards'] as const),
  'rewardsAfterFees',
] as const

describe(billUser, () => {
  it('totals its rows to the wei', () => {
    fc.assert(
      fc.property(fc.array(anyValidator), fc.integer({ min: 0, max: 10_000 }), (validators, feeBasisPoints) => {
        const { validatorsPerChain } = billUser(USER, validators, { ...BILLING, feeBasisPoints })
        for (const chain of validatorsPerChain) {
          for (const name of SUMMED)
            expect(BigInt(chain[name])).toBe(chain.validatorsActive.reduce((sum, row) => sum + BigInt(row[name]), 0n))
          expect(chain.totalCurrentValidators).toBe(chain.totalActiveValidators + chain.totalInactiveValidators)
          expect(chain.totalActiveValidators).toBe(chain.validatorsActive.length)
        }
        expect(
          validatorsPerChain.flatMap(({ validatorsActive, validatorsInactive }) => [...validatorsActive, ...validatorsInactive]).length,
        ).toBe(validators.length)
      }),
    )
  })

  it('separates active validators from those without an active day', () => {
    const [chain] = billUser(USER, [validator(), validator({ pubkey: 'bb', earned: NO_EARNINGS })], BILLING).validatorsPerChain
    expect(chain).toMatchObject({
      totalWeightedValidators: 1,
      validatorsActive: [{ pubkey: 'aa', activeDays: 30, runningDays: 30, fees: '74', rewardsAfterFees: '916' }],
      validatorsInactive: [{ pubkey: 'bb', balance: '0', runningDays: 30, slashed: false, createdAt: '2026-10-01T00:00:00.000Z' }],
    })
  })

  it.each([
    ['2026-11-11T23:59:59Z', '2026-12-24', 20],
    ['2026-10-01T00:00:00Z', '2026-11-10', 10],
    ['2026-11-11T00:00:00Z', '2026-11-10', 0],
  ])('runs from its creation, %s, until today, %s: %i days', (createdAt, today, days) => {
    const [chain] = billUser(USER, [validator({ createdAt: new Date(createdAt) })], { ...BILLING, today }).validatorsPerChain
    expect(chain?.validatorsActive[0]?.runningDays).toBe(days)
  })
})

describe('the days on a bill', () => {
  it('are those on which the validator runs', () => {
    const days = [
      { from: '2026-11-03', to: '2026-11-04' },
      { from: '2026-11-20', to: '2026-11-30' },
    ]
    const [chain] = billUser(USER, [validator({ days })], { ...BILLING, today: '2026-11-22' }).validatorsPerChain
    expect(chain?.validatorsActive[0]?.runningDays).toBe(5)
  })
})

describe(amountsOf, () => {
  it('charges no fee if penalties exceed rewards', () => {
    const lost = { ...NO_EARNINGS, consensusRewardsWei: 10n, consensusPenaltiesWei: 11n }
    expect(amountsOf(lost, 10_000)).toMatchObject({ fees: 0n, rewardsAfterFees: -1n })
  })

  it('rounds a fee down', () => {
    expect(amountsOf({ ...NO_EARNINGS, executionRewardsWei: 1999n }, 5).fees).toBe(0n)
    expect(amountsOf({ ...NO_EARNINGS, executionRewardsWei: 2000n }, 5).fees).toBe(1n)
  })
})

describe(weightedCount, () => {
  it.each([
    [0, 30, 0],
    [14, 30, 0],
    [15, 30, 1],
    [44, 30, 1],
    [45, 30, 2],
    [3, 7, 0],
    [4, 7, 1],
  ])('rounds %i days of %i half up, to %i', (active, days, expected) => {
    expect(weightedCount(active, days)).toBe(expected)
  })
})

describe(billingLines, () => {
  it('writes a row for each validator in the columns of the interface', () => {
    const entry = billUser(USER, [validator({ pubkey: 'bb', earned: NO_EARNINGS }), validator()], BILLING)
    expect(BILLING_HEADER + billingLines(entry)).toBe(
      `${[
        'activeDays,balance,chain,consensusPenalties,consensusRewards,createdAt,effectiveBalance,executionPenalties,executionRewards,fees,organization,organizationName,penalties,pubkey,reportFrom,reportTo,rewards,rewardsAfterFees,runningDays,slashed,user,userEmail,userName',
        `30,33,dev,10,900,2026-10-01T00:00:00.000Z,32,0,100,74,org-1,"'=Org, ""Ltd""",10,aa,2026-11-01,2026-11-30,1000,916,30,false,user-1,a@example.org,"'+Ann"`,
        `,0,dev,,,2026-10-01T00:00:00.000Z,,,,,org-1,"'=Org, ""Ltd""",,bb,2026-11-01,2026-11-30,,,30,false,user-1,a@example.org,"'+Ann"`,
      ].join('\r\n')}\r\n`,
    )
  })

  it('writes a loss as a number', () => {
    const earned = { ...NO_EARNINGS, activeDays: 1, consensusPenaltiesWei: 5n }
    expect(billingLines(billUser(USER, [validator({ earned })], BILLING))).toContain(',-5,')
  })
})

const wei = fc.bigInt(0n, 10n ** 21n)
const anyEarned: fc.Arbitrary<Earned> = fc.record({
  consensusRewardsWei: wei,
  consensusPenaltiesWei: wei,
  executionRewardsWei: wei,
  activeDays: fc.integer({ min: 0, max: 30 }),
  stakeEthEpochs: wei,
  balanceWei: wei,
  effectiveBalanceWei: wei,
  slashed: fc.boolean(),
})
const anyValidator = fc.record({
  chain: fc.constantFrom('mainnet', 'dev'),
  pubkey: fc.string(),
  createdAt: fc.constant(new Date('2026-10-01T00:00:00Z')),
  days: fc.constant([BILLING.range]),
  earned: anyEarned,
})

function validator(overrides: Partial<BilledValidator> = {}): BilledValidator {
  const earned = {
    ...{ consensusRewardsWei: 900n, consensusPenaltiesWei: 10n, executionRewardsWei: 100n, activeDays: 30 },
    ...{ stakeEthEpochs: 0n, balanceWei: 33n, effectiveBalanceWei: 32n, slashed: false },
  }
  return { chain: 'dev', pubkey: 'aa', createdAt: new Date('2026-10-01T00:00:00Z'), days: [BILLING.range], earned, ...overrides }
}
