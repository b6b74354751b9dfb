import type { RoleDefinition } from '@trestle/contracts/accounts/organizations'
import type { Permission } from '@trestle/contracts/permissions'

/** A role of an organization's own. */
export interface RoleForm {
  readonly name: string
  readonly permissions: readonly Permission[]
}

/** Every role may see the organization. */
export const EMPTY_ROLE: RoleForm = { name: '', permissions: ['organization:read'] }

export function roleForm({ name, permissions }: RoleDefinition): RoleForm {
  return { name, permissions }
}

/** As the contract has it. */
export function canSaveRole({ name }: RoleForm): boolean {
  return /^[a-z][a-z0-9-]{0,39}$/.test(name.trim())
}
