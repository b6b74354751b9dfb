import { ALL_PERMISSIONS, type Permission } from '@trestle/contracts/permissions'
import { organizationTexts } from '../texts/organization.js'

interface PermissionGroup {
  readonly title: string
  readonly permissions: readonly Permission[]
}

/** All permissions, by what they are about. */
export const PERMISSION_GROUPS: readonly PermissionGroup[] = [...Map.groupBy(ALL_PERMISSIONS, titleOf)].map(([title, permissions]) => {
  return { title, permissions }
})

/** In the order of the contract, whatever order they were ticked in. */
export function permissionsAmong(chosen: readonly string[]): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => chosen.includes(permission))
}

function titleOf(permission: Permission): string {
  const [subject = ''] = permission.split(':')
  return organizationTexts.groups[subject] ?? subject
}
