import type { RoleDefinition } from '@trestle/contracts/accounts/organizations'
import type { Permission } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import { isBuiltIn, knownPermissions, type RoleDefinitions } from '../memberships/role.js'
import { type Roster, requireCovers, type Seat } from './organization.js'

const MAX_OWN_ROLES = 50

interface OwnRole {
  readonly name: string
  readonly permissions: Permission[]
}

/** A role of the organization's own as it is stored: nobody gives or takes away by it what they do not have, and each may see the organization. */
export function checkOwnRole({ definitions }: Roster, actor: Seat, { name, permissions }: OwnRole): OwnRole {
  if (isBuiltIn(name)) throw new Problem('conflict', 'BuiltInRole', 'Every organization has this role; it cannot be changed.')
  const before = definitions.get(name)
  if (!before && [...definitions.keys()].filter((each) => !isBuiltIn(each)).length >= MAX_OWN_ROLES)
    throw new Problem('conflict', 'LimitExceeded', `An organization has at most ${MAX_OWN_ROLES} roles of its own.`)
  requireCovers(actor, [...permissions, ...(before ?? [])], definitions)
  return { name, permissions: knownPermissions(['organization:read', ...permissions]) }
}

export function describeRoles(definitions: RoleDefinitions): RoleDefinition[] {
  return [...definitions].map(([name, permissions]) => describeRole(name, permissions)).sort((a, b) => Number(a.custom) - Number(b.custom))
}

export function describeRole(name: string, permissions: readonly Permission[]): RoleDefinition {
  return { name, permissions: [...permissions], custom: !isBuiltIn(name) }
}

export function unknownRole(name: string): Problem {
  return new Problem('unknown', 'UnknownRole', `The organization has no role ${name}.`)
}

export function roleInUse(): Problem {
  return new Problem('conflict', 'RoleInUse', 'A member has this role, or an open invitation gives it.')
}
