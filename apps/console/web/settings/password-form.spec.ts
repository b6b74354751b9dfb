import { EMPTY_PASSWORDS, PASSWORD_FIELDS, reducePasswords } from './password-form.js'

describe(reducePasswords, () => {
  it('forgets both passwords once the new one is saved', () => {
    const events = [
      { type: 'changed', field: 'oldPassword', value: 'one' },
      { type: 'changed', field: 'newPassword', value: 'two' },
    ] as const
    const typed = events.reduce(reducePasswords, EMPTY_PASSWORDS)
    expect(typed).toEqual({ oldPassword: 'one', newPassword: 'two' })
    expect(reducePasswords(typed, { type: 'saved' })).toEqual(EMPTY_PASSWORDS)
  })

  it('has a field for every code that is about one', () => {
    for (const field of Object.values(PASSWORD_FIELDS)) expect(EMPTY_PASSWORDS).toHaveProperty(field)
  })
})
