import { ROLES, type Role } from '@trestle/contracts/accounts/organizations'
import { changeField, type FieldChange } from '../parts/form.js'

interface InvitationForm {
  readonly email: string
  readonly roles: readonly Role[]
}

export const EMPTY_INVITATION: InvitationForm = { email: '', roles: ['member'] }

export function reduceInvitation(form: InvitationForm, event: FieldChange<InvitationForm>): InvitationForm {
  return changeField(form, event)
}

/** In the order of the contract, whatever order they were ticked in. */
export function rolesAmong(chosen: readonly string[]): Role[] {
  return ROLES.filter((role) => chosen.includes(role))
}

export function canInvite({ email, roles }: InvitationForm): boolean {
  return email.trim() !== '' && roles.length > 0
}

export function invitationBody({ email, roles }: InvitationForm): { email: string; roles: Role[] } {
  return { email: email.trim(), roles: rolesAmong(roles) }
}
