import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { CHAINS_ANSWER, SERVICES } from '../testing/served.js'
import { AboutSection } from './about-section.js'
import { AppearanceSection } from './appearance.js'
import { PasswordSection } from './password.js'
import { ProfileSection } from './profile.js'
import { SESSIONS, SessionsSection } from './sessions.js'

const SINCE = '2026-03-01T12:00:00.000Z'
const ME = ['accounts', 'me']

describe(ProfileSection, () => {
  const profile = {
    id: 'user-1',
    email: 'ada@example.org',
    displayName: 'Ada',
    entityType: 'company',
    billingAddress: { country: 'GB', address: '12 St James’s Square', zipCode: 'SW1Y 4JH', state: '' },
  }

  it('shows the profile, whose address cannot be changed', () => {
    const page = rendered(<ProfileSection />, { answers: [[ME, profile]] })
    expect(page.input('Email address')).toContain('readOnly=""')
    expect(page.input('Email address')).toContain('value="ada@example.org"')
    expect(page.input('Your name or company name')).toContain('value="Ada"')
    expect(page.input('Postal code')).toContain('value="SW1Y 4JH"')
    expect(page.isEnabled('Save')).toBe(true)
  })

  it('saves nothing that it could not read', () => {
    const page = rendered(<ProfileSection />, { failures: [[ME, new Problem('unavailable', 'Away', 'The service is away.')]] })
    expect(page.text).toContain('The service is away.')
    expect(page.isEnabled('Save')).toBeUndefined()
  })
})

describe(PasswordSection, () => {
  it('tells password managers which password is which', () => {
    const page = rendered(<PasswordSection />)
    expect(page.input('Current password')).toContain('autoComplete="current-password"')
    expect(page.input('New password')).toContain('autoComplete="new-password"')
    expect(page.text).toContain('signed out everywhere else')
  })
})

describe(SessionsSection, () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const session = {
    id: 'session-1',
    userAgent: firefox,
    ip: '192.0.2.1',
    createdAt: SINCE,
    expiresAt: SINCE,
    usedAt: SINCE,
    current: false,
  }
  const sessions = (...rows: object[]) => rendered(<SessionsSection />, { answers: [[SESSIONS, rows]] })

  it('names devices, and marks this session', () => {
    const page = sessions(
      { ...session, current: true },
      { ...session, id: 'session-2', userAgent: 'curl/8.9' },
      { ...session, id: 'session-3', userAgent: '' },
    )
    expect(page.rows.slice(1).map((row) => row.slice(0, 2))).toEqual([
      ['Firefox on Linux this session', '192.0.2.1'],
      ['curl/8.9', '192.0.2.1'],
      ['Program', '192.0.2.1'],
    ])
  })

  it('names the command line, and the company that somebody signed in with', () => {
    const page = sessions({ ...session, client: 'command-line', userAgent: 'node' }, { ...session, id: 'session-2', provider: 'acme' })
    expect(page.rows.slice(1).map(([where]) => where)).toEqual(['Command line', 'Firefox on Linux, signed in with acme'])
  })

  it('says when each was last used, and that an idle one ends', () => {
    const page = sessions({ ...session, usedAt: '2020-01-01T00:00:00.000Z' })
    const [header, row] = page.rows
    expect(row?.[header?.indexOf('Last used') ?? -1]).toContain('years ago')
    expect(page.text).toContain('A session that nobody uses ends by itself')
  })

  it('ends each, or all', () => {
    const page = sessions(session, { ...session, id: 'session-2' })
    expect(page.all('button').filter((name) => name === 'Sign out')).toHaveLength(2)
    expect(page.isEnabled('Sign out everywhere')).toBe(true)
  })
})

describe(AppearanceSection, () => {
  it('follows the system unless something else is chosen', () => {
    const page = rendered(<AppearanceSection />)
    for (const scheme of ['System', 'Light', 'Dark']) expect(page.text).toContain(scheme)
    expect(page.html.match(/<input[^>]*checked=""[^>]*>/g)).toHaveLength(1)
  })
})

describe(AboutSection, () => {
  const { location } = globalThis
  beforeAll(() => Object.assign(globalThis, { location: { origin: 'https://trestle.example' } }))
  afterAll(() => Object.assign(globalThis, { location }))

  it('names the addresses that programs need', () => {
    const page = rendered(<AboutSection />, { answers: [CHAINS_ANSWER] })
    expect(page.text).toContain('https://trestle.example/accounts')
    expect(page.rows).toHaveLength(SERVICES.length + 1)
  })

  it('leaves out services that are not deployed', () => {
    const page = rendered(<AboutSection />, {
      answers: [CHAINS_ANSWER, [['platform', 'health', 'staking'], { name: 'staking', state: 'absent' }]],
    })
    expect(page.rows.map(([name]) => name)).not.toContain('staking')
    expect(page.rows).toHaveLength(SERVICES.length)
  })
})
