import { Problem, retryAfter } from '@trestle/problem/problem'
import { leakyBucket, type Throttle } from './throttle.js'

interface Budget {
  /** How many at once; the same number again becomes free evenly over the period. */
  readonly times: number
  readonly periodMs: number
  /** What protects a recipient is the same everywhere; what limits a sender is multiplied by BUDGET_FACTOR. */
  readonly isFixed?: true
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Every budget of this service; docs/accounts.md has the same table. */
export const BUDGETS = {
  signUpsFromNetwork: { times: 20, periodMs: HOUR_MS },
  deviceLoginsFromNetwork: { times: 60, periodMs: HOUR_MS },
  /** Many users of one company arrive from one network. */
  providerSignInsFromNetwork: { times: 300, periodMs: HOUR_MS },
  resetsFromNetwork: { times: 20, periodMs: HOUR_MS },
  verificationMailsToAddress: { times: 5, periodMs: HOUR_MS, isFixed: true },
  accountExistsMailsToAddress: { times: 1, periodMs: HOUR_MS, isFixed: true },
  resetMailsToAddress: { times: 1, periodMs: 5 * MINUTE_MS, isFixed: true },
  invitationsToAddress: { times: 5, periodMs: DAY_MS, isFixed: true },
  /** All mails that somebody else can cause without having an account's token. */
  mailsToAddress: { times: 20, periodMs: DAY_MS, isFixed: true },
  invitationsByInviter: { times: 30, periodMs: DAY_MS },
  invitationsByOrganization: { times: 60, periodMs: DAY_MS },
  organizationsByUser: { times: 10, periodMs: DAY_MS },
  /** Staking reports what it is asked for: neither a thousand exits, nor a staking that is taken over may fill a mailbox. */
  validatorMailsToUser: { times: 50, periodMs: DAY_MS, isFixed: true },
  passkeyChallengesFromNetwork: { times: 100, periodMs: HOUR_MS },
  guessedCodeMailsToUser: { times: 1, periodMs: DAY_MS, isFixed: true },
  clientKeysByUser: { times: 50, periodMs: DAY_MS },
  dataExportsByUser: { times: 5, periodMs: DAY_MS },
  deletionRequestsByUser: { times: 5, periodMs: DAY_MS },
  approvalsByUser: { times: 100, periodMs: DAY_MS },
  approvalMailsToUser: { times: 20, periodMs: DAY_MS, isFixed: true },
  emailChangesByUser: { times: 5, periodMs: DAY_MS },
} satisfies Record<string, Budget>

export type BudgetName = keyof typeof BUDGETS

/** The key and the rule of a budget. Who spends it is named by what outlives a deletion: an address, a network, an id that is never used again. */
export function budgetOf(name: BudgetName, spender: string, factor: number): Throttle {
  const { times, periodMs, isFixed }: Budget = BUDGETS[name]
  return { key: `budget ${name} ${spender}`, rule: leakyBucket(isFixed ? times : Math.ceil(times * factor), periodMs) }
}

export function overBudget(waitMs: number): Problem {
  const headers = retryAfter(waitMs / 1000)
  return new Problem('too-many', 'TooManyRequests', `Too many of these for now; try again in ${headers['retry-after']} s.`, { headers })
}
