import { hasFreshSignIn } from './session.js'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)

describe(hasFreshSignIn, () => {
  it('is a session that a password has just opened', () => {
    expect(hasFreshSignIn({ createdAt: ago(10) }, NOW)).toBe(true)
    expect(hasFreshSignIn({ createdAt: ago(11) }, NOW)).toBe(false)
  })

  it('is, of a provider, when it asked who the user is, and not when the session began', () => {
    expect(hasFreshSignIn({ provider: 'acme', createdAt: NOW }, NOW)).toBe(false)
    expect(hasFreshSignIn({ provider: 'acme', createdAt: NOW, authenticatedAt: ago(11) }, NOW)).toBe(false)
    expect(hasFreshSignIn({ provider: 'acme', createdAt: ago(60), authenticatedAt: ago(1) }, NOW)).toBe(true)
    expect(hasFreshSignIn({ createdAt: ago(60), authenticatedAt: ago(1) }, NOW)).toBe(true)
  })

  it('is never that of a device, which has asked nobody', () => {
    expect(hasFreshSignIn({ client: 'command-line', createdAt: NOW, authenticatedAt: NOW }, NOW)).toBe(false)
  })
})
