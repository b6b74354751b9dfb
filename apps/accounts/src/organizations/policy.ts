import type { OrganizationPolicy } from '@trestle/contracts/accounts/policies'
import { APPROVABLE_PERMISSIONS, type Permission } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import { permissionsOfRoles } from '../memberships/role.js'
import type { Roster } from './organization.js'

const MIN_APPROVERS = 2

/**
 * A policy as it is stored. With any approvals, changes of members need one too: whoever could invite a second self alone would approve
 * everything alone. Problem `TooFewApprovers` where nobody could approve what one person asks for.
 */
export function checkPolicy({ requireSecondFactor, approvals }: OrganizationPolicy, roster: Roster): OrganizationPolicy {
  const needed = new Set<Permission>(approvals.length > 0 ? ['members:write', ...approvals] : [])
  for (const permission of needed) {
    if (peopleWith(permission, roster).length < MIN_APPROVERS) throw tooFewApprovers(permission)
  }
  return { requireSecondFactor, approvals: APPROVABLE_PERMISSIONS.filter((permission) => needed.has(permission)) }
}

/** Who could approve what needs this permission: no service account. */
export function peopleWith(permission: Permission, { members, definitions }: Roster): string[] {
  const people = members.filter(({ serviceAccount, roles }) => !serviceAccount && permissionsOfRoles(roles, definitions).has(permission))
  return people.map(({ userId }) => userId)
}

export function tooFewApprovers(permission: Permission): Problem {
  const detail = `Two people must have the permission ${permission}, so that one can approve what the other does: give it to a second one.`
  return new Problem('conflict', 'TooFewApprovers', detail)
}
