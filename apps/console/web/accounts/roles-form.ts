import { ROLES, type Role } from '@trestle/contracts/accounts/organizations'

export interface RolesForm {
  readonly roles: readonly Role[]
}

export function rolesForm({ roles }: RolesForm): RolesForm {
  return { roles }
}

/** In the order of the contract, whatever order they were ticked in. */
export function rolesAmong(chosen: readonly string[]): Role[] {
  return ROLES.filter((role) => chosen.includes(role))
}

/** Nobody is a member without a role. */
export function hasRole({ roles }: RolesForm): boolean {
  return roles.length > 0
}

export function rolesBody({ roles }: RolesForm): { roles: Role[] } {
  return { roles: rolesAmong(roles) }
}
