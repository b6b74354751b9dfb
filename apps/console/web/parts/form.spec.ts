import { jest } from '@jest/globals'
import { changeField, textField } from './form.js'

describe(changeField, () => {
  it('returns a new state and leaves the old one as it was', () => {
    const before = { name: 'a', size: 1 }
    expect(changeField(before, { type: 'changed', field: 'size', value: 2 })).toEqual({ name: 'a', size: 2 })
    expect(before).toEqual({ name: 'a', size: 1 })
  })
})

describe(textField, () => {
  it('shows the text of its field, and reports what is typed', () => {
    const dispatch = jest.fn()
    const form = { name: 'Ada', email: '' }
    const field = textField(form, dispatch, 'name')
    expect(field).toMatchObject({ name: 'name', value: 'Ada' })
    field.onChange({ currentTarget: { value: 'Ada L.' } })
    expect(dispatch.mock.calls).toEqual([[{ type: 'changed', field: 'name', value: 'Ada L.' }]])
  })
})
