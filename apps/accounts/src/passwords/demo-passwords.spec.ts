import { requireNoDemoPassword } from './demo-passwords.js'

const DEMO = { email: 'Demo@trestle.local' }
const ADMINISTRATOR = { email: 'admin@trestle.local' }
const ADA = { email: 'ada@example.org' }

describe(requireNoDemoPassword, () => {
  it.each([
    ['correct horse battery staple', ADA],
    ['Correct-Horse-Battery-Staple-1', ADA],
    ['purple horse battery staple', ADA],
    ['purple horse battery staple', DEMO],
    ['correct horse battery staple', ADMINISTRATOR],
  ])('refuses %j for %j', (password, owner) => {
    expect(() => requireNoDemoPassword(password, owner, { isProduction: false })).toThrow(
      expect.objectContaining({ code: 'WeakPassword', detail: expect.stringContaining('documentation') }),
    )
  })

  it.each([
    ['correct horse battery staple', DEMO],
    ['purple horse battery staple', ADMINISTRATOR],
  ])('accepts %j for %j, and never in production', (password, owner) => {
    expect(() => requireNoDemoPassword(password, owner, { isProduction: false })).not.toThrow()
    expect(() => requireNoDemoPassword(password, owner, { isProduction: true })).toThrow(expect.objectContaining({ code: 'WeakPassword' }))
  })

  it('accepts any other, also one with the same words', () => {
    expect(() => requireNoDemoPassword('another horse battery staple', ADA, { isProduction: true })).not.toThrow()
    expect(() => requireNoDemoPassword('constructor', ADA, { isProduction: true })).not.toThrow()
  })
})
