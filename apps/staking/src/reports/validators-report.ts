import type { Validator } from '@trestle/contracts/staking/validators'
import { csvLine } from './csv.js'

const COLUMNS = [
  ...(['chain', 'pubkey', 'region', 'status', 'balance', 'effectiveBalance', 'feeAddress', 'withdrawalAddress'] as const),
  ...(['startedAt', 'activatedAt', 'exitedAt', 'rewards', 'apr'] as const),
]

export const VALIDATORS_HEADER = csvLine(COLUMNS)

/** Earned since activation, before penalties; and the rate in percent a year. */
export interface LifetimeEarnings {
  readonly rewardsWei: bigint
  readonly apr: number
}

export function validatorLine(validator: Validator, earned: LifetimeEarnings): string {
  const row = {
    ...validator,
    balance: BigInt(validator.balance),
    effectiveBalance: BigInt(validator.effectiveBalance),
    rewards: earned.rewardsWei,
    apr: earned.apr,
  }
  return csvLine(COLUMNS.map((column) => row[column]))
}
