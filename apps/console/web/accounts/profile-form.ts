import type { UserProfile } from '@trestle/contracts/accounts/users'

export interface ProfileForm {
  readonly displayName: string
  readonly entityType: UserProfile['entityType']
  readonly country: string
  readonly address: string
  readonly zipCode: string
  readonly state: string
}

export const EMPTY_PROFILE: ProfileForm = { displayName: '', entityType: 'individual', country: '', address: '', zipCode: '', state: '' }

export function profileForm({
  displayName,
  entityType,
  billingAddress,
}: Pick<UserProfile, 'displayName' | 'entityType' | 'billingAddress'>): ProfileForm {
  const { country, address, zipCode = '', state = '' } = billingAddress
  return { displayName, entityType, country, address, zipCode, state }
}

/** A country is chosen from a list, which the browser's own check of required fields does not see. */
export function isProfileComplete({ displayName, country, address }: ProfileForm): boolean {
  return [displayName, country, address].every((value) => value.trim() !== '')
}

export function profileBody({ displayName, entityType, ...billingAddress }: ProfileForm) {
  const { country, address, zipCode, state } = billingAddress
  return { displayName, entityType, billingAddress: { country, address, zipCode, state } }
}
