import { changeField, type FieldChange } from '../parts/form.js'

interface PasswordForm {
  readonly oldPassword: string
  readonly newPassword: string
}

/** Codes of problems that are about one field. */
export const PASSWORD_FIELDS = { WrongPassword: 'oldPassword', WeakPassword: 'newPassword' }

export const EMPTY_PASSWORDS: PasswordForm = { oldPassword: '', newPassword: '' }

export function reducePasswords(form: PasswordForm, event: FieldChange<PasswordForm> | { type: 'saved' }): PasswordForm {
  return event.type === 'saved' ? EMPTY_PASSWORDS : changeField(form, event)
}
