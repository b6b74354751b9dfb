import fc from 'fast-check'
import { EMPTY_BROADCAST, pastedDigits, reduceBroadcast } from './broadcast-form.js'

const submitted = { type: 'submitted', maxDigits: 6 } as const

describe(reduceBroadcast, () => {
  it.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['0x00', 'not-hex'],
    ['012', 'odd'],
    ['00112233', 'too-long'],
    ['0a FF\n', undefined],
  ])('finds what is wrong with %j once it is sent', (text, mistake) => {
    const typed = reduceBroadcast(EMPTY_BROADCAST, { type: 'typed', text })
    expect(typed.mistake).toBeUndefined()
    expect(reduceBroadcast(typed, submitted)).toEqual({ text, mistake })
  })

  it('takes the mistake back with the next change', () => {
    const refused = reduceBroadcast({ text: '0' }, submitted)
    expect(reduceBroadcast(refused, { type: 'typed', text: '00' })).toEqual({ text: '00' })
  })
})

describe(pastedDigits, () => {
  it('ignores line breaks and spaces wherever a wallet puts them', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[0-9a-f]{2}$/)), fc.constantFrom(' ', '\n', '\r\n', '\t'), (pairs, space) => {
        expect(pastedDigits({ text: pairs.join(space) })).toBe(pairs.join(''))
      }),
    )
  })
})
