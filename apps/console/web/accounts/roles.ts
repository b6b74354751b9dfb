import type { Organization, RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'

/** What the user may do in an organization. */
type OwnRights = Pick<Organization, 'roles' | 'permissions'>
type RolePermissions = Pick<RoleDefinition, 'name' | 'permissions'>

/** The roles that every organization has; known before it is asked. */
export const BUILT_IN_ROLES: readonly RoleDefinition[] = Object.entries(ROLE_PERMISSIONS).map(([name, permissions]) => {
  return { name, permissions: [...permissions], custom: false }
})

export function may({ permissions }: Pick<Organization, 'permissions'>, permission: Permission): boolean {
  return permissions.includes(permission)
}

/** Who may make and unmake owners. */
export function isOwner(roles: readonly string[]): boolean {
  return roles.includes('owner')
}

/** Nobody gives what they do not have; who administers an organization says who reads its bills, too. As the accounts service decides it. */
export function mayGive(own: OwnRights, permission: Permission): boolean {
  return may(own, permission) || (permission === 'billing:read' && may(own, 'organization:write') && may(own, 'members:write'))
}

export function mayGiveRole(own: OwnRights, { name, permissions }: RolePermissions): boolean {
  if (name === 'owner') return isOwner(own.roles)
  return permissions.every((permission) => mayGive(own, permission))
}

/** Whether the user may change or remove a member: nobody takes away what they could not give. */
export function mayChangeMember(own: OwnRights, member: readonly string[], definitions: readonly RolePermissions[]): boolean {
  return may(own, 'members:write') && definitions.filter(({ name }) => member.includes(name)).every((role) => mayGiveRole(own, role))
}
