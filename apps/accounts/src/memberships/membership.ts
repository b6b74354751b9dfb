import type { listMemberships, Membership } from '@trestle/contracts/accounts/messages'
import type { RequestOf } from '@trestle/contracts/message'
import { Problem } from '@trestle/problem/problem'
import { knownPermissions, permissionsOfRoles, roleDefinitions } from './role.js'

/** A membership as it is stored; without roles, it has ended. */
export interface MembershipRecord {
  readonly userId: string
  readonly organizationId: string
  readonly roles: readonly string[]
  readonly version: number
  readonly changedAt: Date
  /** What those of the roles permit that the organization has defined itself. */
  readonly ownPermissions: readonly string[]
  /** Null once the organization is gone. */
  readonly policy: Membership['policy'] | null
}

/** A place in the list of memberships, which is in the order of their changes. */
export type MembershipPosition = Pick<MembershipRecord, 'userId' | 'organizationId' | 'changedAt'>

const BUILT_IN = roleDefinitions([])

// A transaction becomes visible when it commits, which is after the time that it recorded.
const OVERLAP_MS = 60_000

const AFTER = /^(0|[1-9]\d{0,12})\.([0-9a-z-]{1,80})\.([0-9a-z-]{1,80})$/

/** Where a reply starts: where the last page ended, or shortly before the time that the caller has everything up to. */
export function startOfMemberships({ since, after }: RequestOf<typeof listMemberships>): MembershipPosition {
  if (after === undefined) {
    const changedAt = new Date(since === undefined ? 0 : Date.parse(since) - OVERLAP_MS)
    return { changedAt, userId: '', organizationId: '' }
  }
  const [, time, userId, organizationId] = AFTER.exec(after) ?? []
  if (time === undefined || userId === undefined || organizationId === undefined)
    throw new Problem('invalid', 'InvalidCursor', '`after` must be the `next` of an earlier reply.')
  return { changedAt: new Date(Number(time)), userId, organizationId }
}

export function encodeMembershipPosition({ changedAt, userId, organizationId }: MembershipPosition): string {
  return `${changedAt.getTime()}.${userId}.${organizationId}`
}

/** What other services learn: permissions, never roles. */
export function describeMembership(membership: MembershipRecord): Membership {
  const { userId, organizationId, roles, version, changedAt, ownPermissions, policy } = membership
  const permissions = new Set([...permissionsOfRoles(roles, BUILT_IN), ...knownPermissions(ownPermissions)])
  return { userId, organizationId, permissions: [...permissions], version, changedAt: changedAt.toISOString(), policy: policy ?? undefined }
}
