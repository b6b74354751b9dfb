import { z } from 'zod'
import { UserId } from '../accounts/users.js'
import { Timestamp } from '../fields.js'
import { broadcast, domainEvent } from '../message.js'

/** An owner requested a change of a validator: the lifecycle job runs at once instead of at its next interval. */
export const validatorChangeRequested = broadcast({
  subject: '*.validator.changed',
  payload: z.object({ chain: z.string() }),
  publishedBy: ['staking'],
})

/** An owner, or somebody in the owner's name, asked for a change that moves money: accounts mails the owner. */
export const validatorUpdateRequested = domainEvent({
  subject: 'staking.validator-update.requested',
  stream: 'STAKING',
  payload: z.object({
    userId: UserId,
    chain: z.string(),
    /** Hexadecimal, without 0x. */
    pubkey: z.string().regex(/^[0-9a-f]{96}$/),
    change: z.enum(['exit', 'fee-address']),
    requestedAt: Timestamp,
  }),
  consumedBy: [{ app: 'accounts', durable: 'notices' }],
})
