import fc from 'fast-check'
import { accessBody, accessForm, canSaveAccess } from './access-form.js'

describe(canSaveAccess, () => {
  it.each([
    ['10.0.0.0/8', ['10.0.0.0/8'], false],
    ['10.0.0.0/8\n192.0.2.1', ['10.0.0.0/8'], true],
    ['', ['10.0.0.0/8'], true],
    ['', [], false],
    ['home', [], false],
    ['10.0.0.0/8 300.1.1.1', [], false],
    [' 10.0.0.0/8,\n', ['10.0.0.0/8'], false],
  ])('of %j where %j is allowed is %s', (text, current, expected) => {
    expect(canSaveAccess({ allowedIps: text }, { allowedIps: current })).toBe(expected)
  })
})

describe(accessForm, () => {
  it('gives a list back as it came', () => {
    fc.assert(
      fc.property(fc.record({ allowedIps: fc.uniqueArray(fc.ipV4()) }), (access) => {
        expect(accessBody(accessForm(access))).toEqual(access)
        expect(canSaveAccess(accessForm(access), access)).toBe(false)
      }),
    )
  })
})
