import { EMPTY_PROFILE, isProfileComplete, type ProfileForm, profileBody } from './profile-form.js'

export interface SignUpForm extends ProfileForm {
  readonly email: string
  readonly password: string
  readonly invitation: string
}

/** Codes of problems that are about one field. */
export const SIGN_UP_FIELDS = { WeakPassword: 'password', InvalidEmail: 'email', InvalidInvitation: 'invitation' }

export function emptySignUp(given: { email: string | null; invitation: string | null }): SignUpForm {
  return { ...EMPTY_PROFILE, email: given.email ?? '', password: '', invitation: given.invitation ?? '' }
}

export function isSignUpComplete(form: SignUpForm): boolean {
  return isProfileComplete(form) && form.email.trim() !== '' && form.password !== ''
}

export function signUpBody({ email, password, invitation, ...profile }: SignUpForm) {
  const token = invitation.trim()
  return { ...profileBody(profile), email, password, ...(token && { invitation: token }) }
}
