export interface ResetRequestForm {
  readonly email: string
}

export interface NewPasswordForm {
  readonly newPassword: string
  readonly endClientKeys: boolean
}

/** Codes of problems that are about one field. */
export const RESET_REQUEST_FIELDS = { InvalidEmail: 'email' }
export const NEW_PASSWORD_FIELDS = { WeakPassword: 'newPassword' }

export const EMPTY_NEW_PASSWORD: NewPasswordForm = { newPassword: '', endClientKeys: true }

/** Begins with the address that was typed at the sign-in. */
export function resetRequestForm(email: string | null): ResetRequestForm {
  return { email: email ?? '' }
}

/** The page that says what was sent. */
export function sentPath({ email }: ResetRequestForm): string {
  return `/app/account/mail?${new URLSearchParams({ for: 'reset', email })}`
}
