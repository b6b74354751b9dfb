import { z } from 'zod'
import { Timestamp } from '../fields.js'
import { domainEvent, request } from '../message.js'
import { PublicJwk } from './discovery.js'
import { OrganizationId, Role } from './organizations.js'
import { UserId } from './users.js'

/** The public keys of both token families, so that any service verifies tokens by itself. */
export const listKeys = request({
  subject: 'accounts.key.list',
  request: z.object({}),
  reply: z.object({ account: z.array(PublicJwk), client: z.array(PublicJwk) }),
})

/**
 * Tokens of this user, client key or session that carry an older epoch are dead.
 * Epochs are whole numbers, not times: no clock can be wrong about them.
 */
export const Revocation = z.object({
  kind: z.enum(['user', 'client', 'session']),
  id: z.string(),
  epoch: z.int(),
})
export type Revocation = z.infer<typeof Revocation>

/** All that may still kill a token, or what was recorded after `since`. Ask from a minute before the last `asOf`: commits are not in the order of their times. */
export const listRevocations = request({
  subject: 'accounts.revocation.list',
  request: z.object({ since: Timestamp.optional(), after: z.string().optional() }),
  reply: z.object({
    asOf: Timestamp,
    revocations: z.array(Revocation).max(5000),
    /** Ask again with this as `after`: there is more. */
    next: z.string().optional(),
  }),
})

export const revocationRecorded = domainEvent({
  subject: 'accounts.revocation.recorded',
  stream: 'ACCOUNTS',
  payload: Revocation,
})

/** An administrator has disabled this user: what goes on by itself for the user, without a token, is to stop. */
export const userDisabled = domainEvent({
  subject: 'accounts.user.disabled',
  stream: 'ACCOUNTS',
  payload: z.object({ userId: UserId, disabledAt: Timestamp }),
})

/** The organization of a user and the user's roles in it. */
export const getMembership = request({
  subject: 'accounts.membership.get',
  request: z.object({ userId: UserId }),
  reply: z.object({ organization: z.object({ id: z.string(), name: z.string() }).nullable(), roles: z.array(Role) }),
})

/** Who is in an organization, by user id; the next page with `next` as `after`. */
export const listMembers = request({
  subject: 'accounts.member.list',
  request: z.object({ organizationId: OrganizationId, after: UserId.optional() }),
  reply: z.object({
    members: z.array(z.object({ userId: UserId, email: z.string(), displayName: z.string() })).max(1000),
    next: UserId.optional(),
  }),
})
