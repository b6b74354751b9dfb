import { hasRole, type RolesForm, rolesBody } from './roles-form.js'

export interface InvitationForm extends RolesForm {
  readonly email: string
}

export const EMPTY_INVITATION: InvitationForm = { email: '', roles: ['member'] }

export function canInvite(form: InvitationForm): boolean {
  return form.email.trim() !== '' && hasRole(form)
}

export function invitationBody(form: InvitationForm) {
  return { email: form.email.trim(), ...rolesBody(form) }
}
