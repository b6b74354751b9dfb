import fc from 'fast-check'
import { hashRecoveryCode, RECOVERY_CODE_BYTES, recoveryCode } from './recovery-code.js'

const random = fc.uint8Array({ minLength: RECOVERY_CODE_BYTES, maxLength: RECOVERY_CODE_BYTES })

describe(recoveryCode, () => {
  it('is six groups of four, in which nothing looks like something else', () => {
    fc.assert(fc.property(random, (bytes) => expect(recoveryCode(bytes)).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/)))
  })

  it('differs where the random bytes do', () => {
    fc.assert(fc.property(random, random, (one, other) => Buffer.from(one).equals(other) === (recoveryCode(one) === recoveryCode(other))))
  })
})

describe(hashRecoveryCode, () => {
  it('is the same however the code is typed', () => {
    const code = recoveryCode(Buffer.from('00443214c74254b635cf84653a56d7', 'hex'))
    expect(code).toBe('0123-4567-89ab-cdef-ghjk-mnpq')
    const typed = ['0123456789abcdefghjkmnpq', code.toUpperCase(), ` ${code.replaceAll('-', ' ')} `, 'oi23-4567-89ab-cdef-ghjk-mnpq']
    for (const text of typed) expect(hashRecoveryCode(text)).toEqual(hashRecoveryCode(code))
  })

  it.each(['', '123456', '0123-4567-89ab-cdef-ghjk-mnp', '0123-4567-89ab-cdef-ghjk-mnpqr', '0123-4567-89ab-cdef-ghjk-mnpu'])(
    'is none for %j',
    (text) => {
      expect(hashRecoveryCode(text)).toBeUndefined()
    },
  )
})
