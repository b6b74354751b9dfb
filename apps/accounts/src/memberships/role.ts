import { ALL_PERMISSIONS, type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'

/** What each role of an organization permits, by name. */
export type RoleDefinitions = ReadonlyMap<string, readonly Permission[]>

/** The roles that every organization has, and those of this one. */
export function roleDefinitions(own: readonly { readonly name: string; readonly permissions: readonly string[] }[]): RoleDefinitions {
  const known = own.map(({ name, permissions }) => [name, knownPermissions(permissions)] as const)
  return new Map<string, readonly Permission[]>([...known, ...Object.entries(ROLE_PERMISSIONS)])
}

export function isBuiltIn(role: string): boolean {
  return Object.hasOwn(ROLE_PERMISSIONS, role)
}

/** The permissions among stored names: one that no longer exists permits nothing. */
export function knownPermissions(names: readonly string[]): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => names.includes(permission))
}

/** What several roles permit together. */
export function permissionsOfRoles(roles: readonly string[], definitions: RoleDefinitions): ReadonlySet<Permission> {
  return new Set(roles.flatMap((role) => definitions.get(role) ?? []))
}

/** Whether somebody with these permissions may give this one to others: what they have; and who administers an organization names who reads its bills. */
export function mayGrant(held: ReadonlySet<Permission>, permission: Permission): boolean {
  return held.has(permission) || (permission === 'billing:read' && held.has('organization:write') && held.has('members:write'))
}
