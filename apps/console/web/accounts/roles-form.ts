import { ROLES } from '@trestle/contracts/accounts/organizations'

export interface RolesForm {
  readonly roles: readonly string[]
}

export function rolesForm({ roles }: RolesForm): RolesForm {
  return { roles }
}

/** In the order of the contract, whatever order they were ticked in; `own` are roles of the organization. */
export function rolesAmong(chosen: readonly string[], own: readonly string[] = []): string[] {
  return [...ROLES, ...own].filter((role) => chosen.includes(role))
}

/** The roles of the organization among those of a member. */
function ownRolesOf(roles: readonly string[]): string[] {
  return roles.filter((role) => !ROLES.some((each) => each === role))
}

/** Nobody is a member without a role. */
export function hasRole({ roles }: RolesForm): boolean {
  return roles.length > 0
}

export function rolesBody({ roles }: RolesForm): { roles: string[] } {
  return { roles: rolesAmong(roles, ownRolesOf(roles)) }
}
