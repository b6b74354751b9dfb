import { Registration, UserProfile } from '@trestle/contracts/accounts/users'
import { changeField } from '../parts/form.js'
import { EMPTY_PROFILE, isProfileComplete, profileBody, profileForm } from './profile-form.js'
import { emptySignUp, isSignUpComplete, SIGN_UP_FIELDS, type SignUpForm, signUpBody } from './sign-up-form.js'

const FILLED: SignUpForm = {
  ...emptySignUp({ email: 'ada@example.org', invitation: null }),
  password: 'three quiet owls at noon',
  displayName: 'Ada',
  country: 'GB',
  address: '12 St James’s Square',
}

describe(signUpBody, () => {
  it('is a registration that the contract accepts', () => {
    expect(Registration.parse(signUpBody(FILLED))).toMatchObject({
      email: 'ada@example.org',
      displayName: 'Ada',
      entityType: 'individual',
      billingAddress: { country: 'GB', address: '12 St James’s Square' },
    })
  })

  it('leaves an empty invitation out, and trims a pasted one', () => {
    expect(signUpBody({ ...FILLED, invitation: '  ' })).not.toHaveProperty('invitation')
    expect(signUpBody({ ...FILLED, invitation: ' abc\n' })).toMatchObject({ invitation: 'abc' })
  })

  it('sends the password as typed, spaces included', () => {
    expect(signUpBody({ ...FILLED, password: ' a b ' }).password).toBe(' a b ')
  })
})

describe(isSignUpComplete, () => {
  it('needs address, password, name, country and street', () => {
    expect(isSignUpComplete(FILLED)).toBe(true)
    for (const field of ['email', 'password', 'displayName', 'country', 'address'] as const)
      expect(isSignUpComplete({ ...FILLED, [field]: '' })).toBe(false)
  })

  it('does not need postal code, state or invitation', () => {
    expect(isSignUpComplete({ ...FILLED, zipCode: '', state: '', invitation: '' })).toBe(true)
  })
})

describe(emptySignUp, () => {
  it('begins with what the link brought', () => {
    expect(emptySignUp({ email: null, invitation: 'abc' })).toEqual({ ...EMPTY_PROFILE, email: '', password: '', invitation: 'abc' })
  })

  it('takes one change at a time', () => {
    const events = [
      { type: 'changed', field: 'displayName', value: 'Ada' },
      { type: 'changed', field: 'entityType', value: 'company' },
      { type: 'changed', field: 'displayName', value: 'Ada Ltd' },
    ] as const
    const form = events.reduce(changeField<SignUpForm>, emptySignUp({ email: null, invitation: null }))
    expect(form).toMatchObject({ displayName: 'Ada Ltd', entityType: 'company', country: '' })
  })

  it('has a field for every code that is about one', () => {
    for (const field of Object.values(SIGN_UP_FIELDS)) expect(FILLED).toHaveProperty(field)
  })
})

describe(profileForm, () => {
  const profile = {
    displayName: 'Ada',
    entityType: 'company',
    billingAddress: { country: 'GB', address: '12 St James’s Square', zipCode: 'SW1Y 4JH', state: '' },
  } as const satisfies Partial<UserProfile>

  it('sends an unchanged profile back as it came', () => {
    expect(profileBody(profileForm(profile))).toEqual(profile)
  })

  it('sends what was changed', () => {
    const form = changeField(profileForm(profile), { type: 'changed', field: 'country', value: 'CH' })
    expect(profileBody(form).billingAddress).toEqual({ ...profile.billingAddress, country: 'CH' })
  })

  it.each(['displayName', 'country', 'address'] as const)('is incomplete with a blank %s', (field) => {
    expect(isProfileComplete({ ...profileForm(profile), [field]: '  ' })).toBe(false)
  })
})
