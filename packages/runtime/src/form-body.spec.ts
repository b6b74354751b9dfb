import fc from 'fast-check'
import { InvalidForm, parseForm } from './form-body.js'

describe(parseForm, () => {
  it('parses what URLSearchParams writes', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\0\ufffd]/.test(value))
    fc.assert(
      fc.property(fc.dictionary(text, text), (form) => {
        expect(parseForm(Buffer.from(new URLSearchParams(form).toString()))).toEqual({ ...form })
      }),
    )
  })

  it.each([
    ['a repeated parameter', 'grant_type=a&grant_type=b', 'A parameter of the form is repeated.'],
    ['what is not UTF-8', 'a=%c0%af', 'The form is not valid UTF-8.'],
    ['NUL', 'a=%00', 'The form is not valid UTF-8.'],
  ])('refuses %s', (_, form, message) => {
    expect(() => parseForm(Buffer.from(form))).toThrow(new InvalidForm(message))
  })

  it('does not change prototypes', () => {
    expect(Object.getPrototypeOf(parseForm(Buffer.from('__proto__=x')))).toBe(Object.prototype)
  })
})
