import { changeField } from './form.js'

describe(changeField, () => {
  it('returns a new state and leaves the old one as it was', () => {
    const before = { name: 'a', size: 1 }
    expect(changeField(before, { type: 'changed', field: 'size', value: 2 })).toEqual({ name: 'a', size: 2 })
    expect(before).toEqual({ name: 'a', size: 1 })
  })
})
