import type { OrganizationPolicy } from '@trestle/contracts/accounts/policies'
import { APPROVABLE_PERMISSIONS, type ApprovablePermission } from '@trestle/contracts/permissions'

/** With any approval, changing members needs one, too: whoever invites a second self would approve alone. */
export function withMembers(chosen: readonly string[]): ApprovablePermission[] {
  const others = APPROVABLE_PERMISSIONS.filter((permission) => permission !== 'members:write' && chosen.includes(permission))
  return others.length > 0 || chosen.includes('members:write') ? ['members:write', ...others] : []
}

export function isChanged(form: OrganizationPolicy, saved: OrganizationPolicy): boolean {
  return (
    form.requireSecondFactor !== saved.requireSecondFactor || withMembers(form.approvals).join() !== withMembers(saved.approvals).join()
  )
}
