import { z } from 'zod'
import { can, canInBilling, endpoint } from '../endpoint.js'
import { Digits, Timestamp } from '../fields.js'

const Count = z.int().min(0)

const amounts = {
  consensusPenalties: Digits,
  consensusRewards: Digits,
  executionPenalties: Digits,
  executionRewards: Digits,
  fees: Digits,
  penalties: Digits,
  rewards: Digits,
  rewardsAfterFees: Digits,
}

const InactiveValidator = z.object({
  balance: Digits,
  createdAt: Timestamp,
  pubkey: z.string(),
  runningDays: Count,
  slashed: z.boolean(),
})

const ActiveValidator = InactiveValidator.extend({ activeDays: Count, effectiveBalance: Digits, ...amounts })

export const BillingEntry = z
  .object({
    organization: z.string(),
    organizationName: z.string(),
    reportFrom: z.iso.date(),
    reportTo: z.iso.date(),
    user: z.string(),
    userEmail: z.string(),
    userName: z.string(),
    validatorsPerChain: z.array(
      z.object({
        chain: z.string(),
        ...amounts,
        totalActiveValidators: Count,
        totalCurrentValidators: Count,
        totalInactiveValidators: Count,
        totalWeightedValidators: Count,
        validatorsActive: z.array(ActiveValidator),
        validatorsInactive: z.array(InactiveValidator),
      }),
    ),
  })
  .meta({ id: 'BillingEntry', description: 'All amounts in wei. An active validator was active on at least one day of the range.' })
export type BillingEntry = z.infer<typeof BillingEntry>

export const reports = {
  validators: endpoint({
    method: 'GET',
    path: '/staking/ethereum/validators/report',
    summary: 'All validators of the organization as CSV.',
    access: can('staking:read'),
    status: 200,
    replyType: 'text/csv',
  }),
  billing: endpoint({
    method: 'GET',
    path: '/staking/ethereum/billing/report',
    summary:
      'What the validators of the organization earned in a range of UTC days, by who created them (auditor, billing): those that it owned on a day, and those of members whose first organization it is. JSON, or CSV if `Accept` asks for it.',
    access: canInBilling('billing:read'),
    query: z.object({ fromDate: z.iso.date(), toDate: z.iso.date() }),
    status: 200,
    reply: z.array(BillingEntry),
    replyType: 'text/csv',
    problems: ['MissingRole', 'InvalidRange', 'NotAcceptable', 'MembershipsUnknown'],
  }),
}
