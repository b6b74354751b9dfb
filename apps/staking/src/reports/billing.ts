import type { BillingEntry } from '@trestle/contracts/staking/reports'
import { type DayRange, overlapOf } from '../rewards/day-range.js'
import { countDays, type Day, dayOf } from '../rewards/days.js'
import { type Earned, NO_EARNINGS } from '../rewards/earnings.js'
import { csvLine, type Field } from './csv.js'

// All amounts are in wei. Each validator is rounded once, so all sums are sums of what is shown.

const BASIS_POINTS = 10_000n

export interface BilledValidator {
  readonly chain: string
  readonly pubkey: string
  readonly createdAt: Date
  /** Its days of the range on this bill, without a day in common. */
  readonly days: readonly DayRange[]
  /** In these days. */
  readonly earned: Earned
}

export interface Billing {
  readonly range: DayRange
  readonly today: Day
  readonly feeBasisPoints: number
}

type PerChain = BillingEntry['validatorsPerChain'][number]
type Active = PerChain['validatorsActive'][number]
type Inactive = PerChain['validatorsInactive'][number]

const AMOUNTS = [
  'consensusPenalties',
  'consensusRewards',
  'executionPenalties',
  'executionRewards',
  'fees',
  'penalties',
  'rewards',
  'rewardsAfterFees',
] as const
type Amounts = Record<(typeof AMOUNTS)[number], bigint>

export type BilledUser = Pick<BillingEntry, 'organization' | 'organizationName' | 'user' | 'userEmail' | 'userName'>

/** What a user's validators have earned, by chain. */
export function billUser(user: BilledUser, validators: readonly BilledValidator[], billing: Billing): BillingEntry {
  const { organization, organizationName, ...person } = user
  const { from, to } = billing.range
  const chains = [...new Set(validators.map(({ chain }) => chain))].toSorted()
  const validatorsPerChain = chains.map((chain) =>
    billChain(
      chain,
      validators.filter((validator) => validator.chain === chain),
      billing,
    ),
  )
  return { organization, organizationName, reportFrom: from, reportTo: to, ...person, validatorsPerChain }
}

/** For one validator. The fee is a share of its gain, and never negative. */
export function amountsOf({ consensusRewardsWei, consensusPenaltiesWei, executionRewardsWei }: Earned, feeBasisPoints: number): Amounts {
  const rewards = consensusRewardsWei + executionRewardsWei
  const penalties = consensusPenaltiesWei
  const gain = rewards > penalties ? rewards - penalties : 0n
  const fees = (gain * BigInt(feeBasisPoints)) / BASIS_POINTS
  return {
    consensusPenalties: consensusPenaltiesWei,
    consensusRewards: consensusRewardsWei,
    // The execution layer has no penalties.
    executionPenalties: 0n,
    executionRewards: executionRewardsWei,
    fees,
    penalties,
    rewards,
    rewardsAfterFees: rewards - penalties - fees,
  }
}

/** Rounded half up. */
export function weightedCount(activeDays: number, days: number): number {
  return Math.floor((2 * activeDays + days) / (2 * days))
}

const COLUMNS = [
  ...(['activeDays', 'balance', 'chain', 'consensusPenalties', 'consensusRewards', 'createdAt', 'effectiveBalance'] as const),
  ...(['executionPenalties', 'executionRewards', 'fees', 'organization', 'organizationName', 'penalties', 'pubkey'] as const),
  ...(['reportFrom', 'reportTo', 'rewards', 'rewardsAfterFees', 'runningDays', 'slashed', 'user', 'userEmail', 'userName'] as const),
]
// Numbers: a minus sign does not make them formulas.
const NUMBERS = new Set<string>([...AMOUNTS, 'balance', 'effectiveBalance'])

export const BILLING_HEADER = csvLine(COLUMNS)

/** A line for each validator, the active ones of a chain first. */
export function billingLines({ validatorsPerChain, ...user }: BillingEntry): string {
  const rows = validatorsPerChain.flatMap(({ chain, validatorsActive, validatorsInactive }) =>
    [...validatorsActive, ...validatorsInactive].map((validator) => ({ ...user, chain, ...validator })),
  )
  return rows.map((row) => csvLine(COLUMNS.map((column) => fieldOf(column, row)))).join('')
}

function fieldOf(column: string, row: Readonly<Record<string, Field>>): Field {
  const value = row[column]
  return NUMBERS.has(column) && typeof value === 'string' ? BigInt(value) : value
}

function billChain(chain: string, validators: readonly BilledValidator[], { range, today, feeBasisPoints }: Billing): PerChain {
  const running = (validator: BilledValidator) => runningDays(validator, today)
  const active = validators.filter(({ earned }) => earned.activeDays > 0)
  const inactive = validators.filter(({ earned }) => earned.activeDays === 0)
  const amounts = active.map(({ earned }) => amountsOf(earned, feeBasisPoints))
  const activeDays = active.reduce((sum, { earned }) => sum + earned.activeDays, 0)
  return {
    chain,
    ...textOf(totalOf(amounts)),
    totalActiveValidators: active.length,
    totalCurrentValidators: validators.length,
    totalInactiveValidators: inactive.length,
    totalWeightedValidators: weightedCount(activeDays, countDays(range.from, range.to)),
    validatorsActive: active.map(
      (validator): Active => ({
        activeDays: validator.earned.activeDays,
        effectiveBalance: String(validator.earned.effectiveBalanceWei),
        ...textOf(amountsOf(validator.earned, feeBasisPoints)),
        ...describe(validator, running(validator)),
      }),
    ),
    validatorsInactive: inactive.map((validator) => describe(validator, running(validator))),
  }
}

function describe({ pubkey, createdAt, earned: { balanceWei, slashed } }: BilledValidator, days: number): Inactive {
  return { balance: String(balanceWei), createdAt: createdAt.toISOString(), pubkey, runningDays: days, slashed }
}

/** Its days since it was created, up to today. */
function runningDays({ createdAt, days }: BilledValidator, today: Day): number {
  const life = { from: dayOf(createdAt), to: today }
  const running = days.map((range) => overlapOf(range, life))
  return running.reduce((sum, range) => sum + (range ? countDays(range.from, range.to) : 0), 0)
}

function totalOf(rows: readonly Amounts[]): Amounts {
  const total = amountsOf(NO_EARNINGS, 0)
  for (const row of rows) for (const name of AMOUNTS) total[name] += row[name]
  return total
}

function textOf(amounts: Amounts): Record<keyof Amounts, string> {
  return Object.fromEntries(AMOUNTS.map((name) => [name, String(amounts[name])])) as Record<keyof Amounts, string>
}
