import type { BillingEntry } from '@trestle/contracts/staking/reports'
import { sumOf } from '../parts/amount.js'

type Chain = BillingEntry['validatorsPerChain'][number]
type Amounts = Readonly<Record<'rewards' | 'penalties' | 'fees' | 'rewardsAfterFees', bigint>>

/** One user on one chain. */
export interface BillingRow extends Pick<BillingEntry, 'user' | 'userEmail' | 'userName'> {
  readonly bill: Chain
}

export interface ValidatorRow {
  readonly pubkey: string
  readonly chain: string
  readonly userName: string
  readonly slashed: boolean
  readonly balance: string
  readonly runningDays: number
  /** Only of one that was active in the range. */
  readonly activeDays?: number
  readonly rewards?: string
  readonly penalties?: string
  readonly fees?: string
  readonly rewardsAfterFees?: string
}

export function billingRows(entries: readonly BillingEntry[]): BillingRow[] {
  return entries.flatMap(({ user, userEmail, userName, validatorsPerChain }) =>
    validatorsPerChain.map((bill) => ({ user, userEmail, userName, bill })),
  )
}

export function billedValidators(rows: readonly BillingRow[]): ValidatorRow[] {
  return rows.flatMap(({ userName, bill: { chain, validatorsActive, validatorsInactive } }) =>
    [...validatorsActive, ...validatorsInactive].map((validator) => ({ ...validator, chain, userName })),
  )
}

export function billingTotals(rows: readonly BillingRow[]): Amounts & { active: number; inactive: number } {
  const total = (name: keyof Amounts) => sumOf(rows.map(({ bill }) => bill[name]))
  return {
    rewards: total('rewards'),
    penalties: total('penalties'),
    fees: total('fees'),
    rewardsAfterFees: total('rewardsAfterFees'),
    active: rows.reduce((sum, { bill }) => sum + bill.totalActiveValidators, 0),
    inactive: rows.reduce((sum, { bill }) => sum + bill.totalInactiveValidators, 0),
  }
}
