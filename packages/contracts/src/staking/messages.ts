import { z } from 'zod'
import { OrganizationId } from '../accounts/organizations.js'
import { UserId } from '../accounts/users.js'
import { Timestamp } from '../fields.js'
import { broadcast, domainEvent } from '../message.js'

const Pubkey = z
  .string()
  .regex(/^[0-9a-f]{96}$/)
  .describe('Hexadecimal, without 0x.')

/** An owner requested a change of a validator: the lifecycle job runs at once instead of at its next interval. */
export const validatorChangeRequested = broadcast({
  subject: '*.validator.changed',
  payload: z.object({ chain: z.string() }),
  publishedBy: ['staking'],
})

/** Somebody, or a program in their name, asked for a change that moves money: accounts mails them. */
export const validatorUpdateRequested = domainEvent({
  subject: 'staking.validator-update.requested',
  stream: 'STAKING',
  payload: z.object({
    /** Who asked. */
    userId: UserId,
    /** Who owns the validator. */
    organizationId: OrganizationId.optional(),
    chain: z.string(),
    pubkey: Pubkey,
    change: z.enum(['exit', 'fee-address']),
    requestedAt: Timestamp,
  }),
  consumedBy: [{ app: 'accounts', durable: 'notices' }],
})

/** Somebody moved a validator to another organization. */
export const validatorTransferred = domainEvent({
  subject: 'staking.validator.transferred',
  stream: 'STAKING',
  payload: z.object({
    /** Who moved it. */
    userId: UserId,
    chain: z.string(),
    pubkey: Pubkey,
    fromOrganizationId: OrganizationId,
    toOrganizationId: OrganizationId,
    transferredAt: Timestamp,
  }),
})
