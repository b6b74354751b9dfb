import { changeField } from '../parts/form.js'
import { userSearch, userSearchForm } from './user-search-form.js'

describe(userSearchForm, () => {
  it('begins with the search in the address of the page', () => {
    expect(userSearchForm(new URLSearchParams('email=ada%40example.org'))).toEqual({ email: 'ada@example.org' })
    expect(userSearchForm(new URLSearchParams())).toEqual({ email: '' })
  })

  it('goes into the address and back unchanged', () => {
    const form = changeField(userSearchForm(new URLSearchParams()), { type: 'changed', field: 'email', value: 'ada+1@example.org' })
    expect(userSearchForm(new URLSearchParams(userSearch(form)))).toEqual(form)
  })
})

describe(userSearch, () => {
  it.each([
    ['ada@example.org', { email: 'ada@example.org' }],
    [' ada@example.org\t', { email: 'ada@example.org' }],
    ['  ', {}],
    ['', {}],
  ])('of %j is %j', (email, expected) => {
    expect(userSearch({ email })).toEqual(expected)
  })
})
