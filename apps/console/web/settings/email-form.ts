import { changeField, type FieldChange } from '../parts/form.js'

interface EmailForm {
  readonly email: string
  readonly password: string
}

/** Codes of problems that are about one field. */
export const EMAIL_FIELDS = { InvalidEmail: 'email', WrongPassword: 'password' }

export const EMPTY_EMAIL: EmailForm = { email: '', password: '' }

export function reduceEmail(form: EmailForm, event: FieldChange<EmailForm> | { type: 'sent' }): EmailForm {
  return event.type === 'sent' ? EMPTY_EMAIL : changeField(form, event)
}
