import fc from 'fast-check'
import { isTooLong, requireStrong } from './password-policy.js'

const ADA = { email: 'ada.lovelace@example.org', displayName: 'Ada King' }

describe(requireStrong, () => {
  it.each([
    'blue kettle sings at dawn',
    'trestle-demo-2026',
    'trestle demo password',
    'I like dragons & bridges',
    'ada rides to lovelace manor',
    '7#kQ!92_x)4[8&3',
    'Vf3qPz81LmX0tYw',
    'ПривычкаСвышеНам дана',
    '草枕の冒頭を全部覚えている人の合言葉',
    '🐎🔋📎✅🐴🔌🖇️☑️🦄⚡📌✔️🐑💡🧷',
    ' leading and trailing count ',
    'nul\u0000is a character too',
    '839201746529473',
    'aaacorrect horsex9',
    'correct horse battery staple',
    'purple horse battery staple',
  ])('accepts %j', (password) => {
    expect(() => requireStrong(password, ADA)).not.toThrow()
  })

  it.each([
    ['Vf3qPz81LmX0tY', 'at least 15 characters'],
    ['🐎🔋📎✅🐴🔌🖇☑🦄⚡📌✔🐑💡', 'at least 15 characters'],
    ['é'.normalize('NFD').repeat(7), 'at least 15 characters'],
    ['x'.repeat(1025), 'at most 1024 bytes'],
    ['                    ', 'besides spaces'],
    ['aaaabbbbccccdddd', 'different characters'],
    ['Wx7!pWx7!pWx7!p', 'repeats'],
    ['Tr0ub4dor&3Tr0ub4dor&3', 'repeats'],
    ['qwertyuiopasdfgh', 'neighbouring keys'],
    ['1qaz2wsx3edc4rfv', 'neighbouring keys'],
    ['abcdefghijklmno', 'neighbouring keys'],
    ['9876543210987654', 'neighbouring keys'],
    ['ada.lovelace@example.org', 'your name'],
    ['AdaLovelace2026', 'your name'],
    ['adakingtrestle1', 'your name'],
    ['Trestle-Trestle!', 'your name'],
    ['password1234567890', 'very common'],
    ['P@ssw0rd!P@ssw0rd', 'very common'],
    ['P@ssw0rd!2026!!', 'very common'],
    ['dragonbaseball12', 'very common'],
    ['Football20242025', 'very common'],
    ['iloveyouprincess', 'very common'],
    ['momsanaladventure', 'very common'],
  ])('refuses %j', (password, reason) => {
    expect(() => requireStrong(password, ADA)).toThrow(
      expect.objectContaining({ code: 'WeakPassword', detail: expect.stringContaining(reason) }),
    )
  })

  it('accepts what a password generator makes', () => {
    const random = fc.string({
      unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_!'),
      minLength: 20,
      maxLength: 40,
    })
    fc.assert(
      fc.property(random, (password) => {
        fc.pre(new Set(password).size >= 12)
        requireStrong(password, ADA)
      }),
    )
  })

  it('decides on a long password in bounded time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1000, maxLength: 1024 }), (password) => {
        expect(() => requireStrong(password, ADA)).toThrow(expect.objectContaining({ code: 'WeakPassword' }))
      }),
    )
  })
})

describe(isTooLong, () => {
  it('counts bytes, not characters', () => {
    expect(isTooLong('é'.repeat(512))).toBe(false)
    expect(isTooLong('é'.repeat(513))).toBe(true)
  })
})
