import { z } from 'zod'
import { AREAS, CLIENT_AREAS } from '../areas.js'
import { Timestamp } from '../fields.js'
import { domainEvent, request } from '../message.js'
import { Permission } from '../permissions.js'
import { PublicJwk } from './discovery.js'
import { OrganizationId, ROLES } from './organizations.js'
import { UserId } from './users.js'

/** The public keys of both token families, so that every service can verify tokens locally. */
export const listKeys = request({
  subject: 'accounts.key.list',
  request: z.object({}),
  reply: z.object({ account: z.array(PublicJwk), client: z.array(PublicJwk) }),
  requestedBy: CLIENT_AREAS,
  signedBy: 'accounts',
})

/** What this signing key signed is invalid, whenever it was signed. */
export const signingKeyCompromised = domainEvent({
  subject: 'accounts.signing-key.compromised',
  stream: 'ACCOUNTS',
  payload: z.object({ kid: z.string() }),
  orderedBy: 'kid',
  subscribedBy: AREAS,
  signedBy: 'accounts',
})

/**
 * Invalidates tokens of a user, client key or session that carry an older epoch.
 * Epochs are integers, not times, so clock skew cannot affect them.
 */
export const Revocation = z.object({
  kind: z.enum(['user', 'client', 'session']),
  id: z.string(),
  epoch: z.int(),
})
export type Revocation = z.infer<typeof Revocation>

/** Revocations that still affect a token, or those recorded after `since`. Start a minute before the last `asOf`: commit order differs from time order. */
export const listRevocations = request({
  subject: 'accounts.revocation.list',
  request: z.object({ since: Timestamp.optional(), after: z.string().optional() }),
  reply: z.object({
    asOf: Timestamp,
    revocations: z.array(Revocation).max(5000),
    /** The ids of signing keys that were declared compromised. */
    compromisedKeys: z.array(z.string()).optional(),
    /** Pass it as `after` to get the next page. */
    next: z.string().optional(),
  }),
  requestedBy: CLIENT_AREAS,
  signedBy: 'accounts',
})

export const revocationRecorded = domainEvent({
  subject: 'accounts.revocation.recorded',
  stream: 'ACCOUNTS',
  payload: Revocation,
  orderedBy: 'id',
  subscribedBy: AREAS,
  signedBy: 'accounts',
})

/** An administrator disabled this user: work done for the user without a token must stop. */
export const userDisabled = domainEvent({
  subject: 'accounts.user.disabled',
  stream: 'ACCOUNTS',
  payload: z.object({ userId: UserId, disabledAt: Timestamp }),
  orderedBy: 'userId',
  consumedBy: [
    { app: 'nodes', durable: 'disabled-users' },
    { app: 'eth-rpc', durable: 'disabled-owners' },
  ],
  signedBy: 'accounts',
})

/** An administrator enabled this user again: what was refused because of the user's state is allowed again. */
export const userEnabled = domainEvent({
  subject: 'accounts.user.enabled',
  stream: 'ACCOUNTS',
  payload: z.object({ userId: UserId, enabledAt: Timestamp }),
  consumedBy: [{ app: 'eth-rpc', durable: 'enabled-owners' }],
  signedBy: 'accounts',
})

/**
 * A user's account was deleted: whatever the user has is removed. Published again every day for a while, so that a service that was down for
 * longer than its stream lasts, or was restored from a backup, still acts on it: it must be idempotent.
 */
export const userDeleted = domainEvent({
  subject: 'accounts.user.deleted',
  stream: 'ACCOUNTS',
  payload: z.object({ userId: UserId, deletedAt: Timestamp }),
  orderedBy: 'userId',
  consumedBy: [
    { app: 'nodes', durable: 'deleted-users' },
    { app: 'eth-rpc', durable: 'deleted-owners' },
    { app: 'staking', durable: 'deleted-users' },
  ],
  signedBy: 'accounts',
})

/** What becomes of what a user has when the account is deleted. `blocks`: as long as the user has it, the account is not deleted. */
export const DeletionEffect = z.enum(['deleted', 'kept', 'blocks'])
export type DeletionEffect = z.infer<typeof DeletionEffect>

/** How many of each kind of resource some organizations own, by state. */
export const countResources = request({
  subject: '*.resource.count',
  request: z.object({ organizationIds: z.array(OrganizationId).min(1).max(100) }),
  reply: z.object({
    resources: z
      .array(z.object({ kind: z.string().max(40), state: z.string().max(40), count: z.int().min(1), effect: DeletionEffect }))
      .max(100),
  }),
  requestedBy: ['accounts'],
  repliedBy: ['nodes', 'eth-rpc', 'staking'],
})

/** What an organization demands of its members, as services learn it. */
const MembershipPolicy = z.object({
  requireSecondFactor: z.boolean().default(false),
  approvals: z.array(z.string().max(100)).max(100).default([]),
})

/**
 * What a user may do in an organization; nothing, once they have left. A higher version replaces a lower one, in whatever order they arrive.
 * Personal organizations are not among them: they follow from the user's id.
 */
export const Membership = z.object({
  userId: UserId,
  organizationId: OrganizationId,
  permissions: z.array(Permission.or(z.string().max(100))).max(200),
  /** Left out by the release before, which knows none. */
  policy: MembershipPolicy.optional(),
  version: z.int(),
  changedAt: Timestamp,
})
export type Membership = z.infer<typeof Membership>

/** The memberships, or those that were changed after `since`. Start a minute before the last `asOf`: commit order differs from time order. */
export const listMemberships = request({
  subject: 'accounts.membership.list',
  request: z.object({ since: Timestamp.optional(), after: z.string().max(200).optional() }),
  reply: z.object({
    asOf: Timestamp,
    memberships: z.array(Membership).max(1000),
    /** Pass it as `after` to get the next page. */
    next: z.string().optional(),
  }),
  requestedBy: CLIENT_AREAS,
  signedBy: 'accounts',
})

export const membershipChanged = domainEvent({
  subject: 'accounts.membership.changed',
  stream: 'ACCOUNTS',
  payload: Membership,
  orderedBy: 'userId',
  subscribedBy: AREAS,
  consumedBy: [{ app: 'staking', durable: 'memberships' }],
  signedBy: 'accounts',
})

/** An organization is gone: what it owned belongs to the personal organization of its last member. */
export const organizationDissolved = domainEvent({
  subject: 'accounts.organization.dissolved',
  stream: 'ACCOUNTS',
  payload: z.object({ organizationId: OrganizationId, heirId: OrganizationId, dissolvedAt: Timestamp }),
  consumedBy: [
    { app: 'nodes', durable: 'dissolved-organizations' },
    { app: 'eth-rpc', durable: 'dissolved-organizations' },
    { app: 'staking', durable: 'dissolved-organizations' },
  ],
  signedBy: 'accounts',
})

/** Names and addresses of users, for reports on what they created. Unknown ids are left out. */
export const describeUsers = request({
  subject: 'accounts.user.describe',
  request: z.object({ userIds: z.array(UserId).max(1000) }),
  reply: z.object({ users: z.array(z.object({ userId: UserId, email: z.string(), displayName: z.string() })).max(1000) }),
  requestedBy: ['staking'],
  signedBy: 'accounts',
})

/** Names of shared organizations, for the same reports. Unknown ids are left out. */
export const describeOrganizations = request({
  subject: 'accounts.organization.describe',
  request: z.object({ organizationIds: z.array(OrganizationId).max(1000) }),
  reply: z.object({ organizations: z.array(z.object({ organizationId: OrganizationId, name: z.string() })).max(1000) }),
  requestedBy: ['staking'],
  signedBy: 'accounts',
})

/** The shared organization that a user joined first, and the roles there. Only the release before asks; `listMemberships` replaces it. */
export const getMembership = request({
  subject: 'accounts.membership.get',
  request: z.object({ userId: UserId }),
  reply: z.object({ organization: z.object({ id: z.string(), name: z.string() }).nullable(), roles: z.array(z.enum(ROLES)) }),
  requestedBy: ['staking'],
  signedBy: 'accounts',
})

/** The members of an organization, by user id. Pass `next` as `after` to get the next page. */
export const listMembers = request({
  subject: 'accounts.member.list',
  request: z.object({ organizationId: OrganizationId, after: UserId.optional() }),
  reply: z.object({
    members: z.array(z.object({ userId: UserId, email: z.string(), displayName: z.string() })).max(1000),
    next: UserId.optional(),
  }),
  requestedBy: ['staking'],
  signedBy: 'accounts',
})
