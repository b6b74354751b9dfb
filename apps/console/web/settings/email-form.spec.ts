import { EMPTY_EMAIL, reduceEmail } from './email-form.js'

describe(reduceEmail, () => {
  it('keeps what is typed until it is sent, and then no password', () => {
    const typed = reduceEmail({ ...EMPTY_EMAIL, password: 'secret words' }, { type: 'changed', field: 'email', value: 'ada@new.example' })
    expect(typed).toEqual({ email: 'ada@new.example', password: 'secret words' })
    expect(reduceEmail(typed, { type: 'sent' })).toEqual({ email: '', password: '' })
  })
})
