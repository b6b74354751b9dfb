import { changeField } from '../parts/form.js'
import { EMPTY_NEW_PASSWORD, NEW_PASSWORD_FIELDS, RESET_REQUEST_FIELDS, resetRequestForm, sentPath } from './reset-form.js'

describe(resetRequestForm, () => {
  it('begins with the address that the link names', () => {
    expect([resetRequestForm('ada@example.org'), resetRequestForm(null)]).toEqual([{ email: 'ada@example.org' }, { email: '' }])
  })

  it('leads to the page that names the address as it was typed last', () => {
    const form = changeField(resetRequestForm(null), { type: 'changed', field: 'email', value: 'ada+b&c@example.org' })
    expect(new URL(sentPath(form), 'http://console').searchParams).toEqual(
      new URLSearchParams({ for: 'reset', email: 'ada+b&c@example.org' }),
    )
  })
})

it('ends client keys unless told otherwise', () => {
  expect(EMPTY_NEW_PASSWORD.endClientKeys).toBe(true)
  expect(changeField(EMPTY_NEW_PASSWORD, { type: 'changed', field: 'endClientKeys', value: false }).endClientKeys).toBe(false)
})

it('has a field for every code that is about one', () => {
  for (const field of Object.values(RESET_REQUEST_FIELDS)) expect(resetRequestForm(null)).toHaveProperty(field)
  for (const field of Object.values(NEW_PASSWORD_FIELDS)) expect(EMPTY_NEW_PASSWORD).toHaveProperty(field)
})
