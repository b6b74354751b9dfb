import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import type { ProviderIdentity } from '@trestle/contracts/accounts/identities'
import { Problem } from '@trestle/problem/problem'
import { SECOND_FACTORS } from '../second-factors/use-factors.js'
import { IDENTITIES } from '../second-factors/use-identities.js'
import { rendered } from '../testing/rendered.js'
import { DataSection } from './data.js'
import { DELETION, DeletionSection } from './deletion.js'
import { EmailSection } from './email.js'
import { IdentitiesSection } from './identities.js'
import { PasswordSection } from './password.js'

describe(EmailSection, () => {
  it('asks for the password, and says that nothing changes before the link is opened', () => {
    const page = rendered(<EmailSection />)
    expect(page.input('New email address')).toContain('type="email"')
    expect(page.input('Your password')).toContain('autoComplete="current-password"')
    expect(page.text).toContain('Nothing changes until you open the link')
  })
})

describe('an account without a password', () => {
  const answers = [[SECOND_FACTORS, { factors: [], recoveryCodes: 0, hasPassword: false }]] as const
  const preview: AccountDeletion = { graceHours: 72, resources: [], organizations: [], blockers: [], unreachable: [] }

  it.each([
    ['change of the address', <EmailSection key="email" />, 'Change email address'],
    ['deletion', <DeletionSection key="deletion" />, 'Delete my account'],
  ])('is not asked for one at the %s, but told what may be asked instead', (_, section, button) => {
    const page = rendered(section, { answers: [...answers, [DELETION, preview]] })
    expect(page.input('Your password')).toBeUndefined()
    expect(page.text).toContain('you are asked to prove that it is you')
    expect(page.isEnabled(button)).toBe(true)
  })

  it('has none to change, and can set one by email', () => {
    const page = rendered(<PasswordSection />, { answers })
    expect(page.input('Current password')).toBeUndefined()
    expect(page.links).toMatchObject({ 'Set a password by email': '/app/account/forgot' })
  })
})

describe(IdentitiesSection, () => {
  const SINCE = '2026-03-01T12:00:00.000Z'
  const identity: ProviderIdentity = {
    ...{ id: 'identity-1', provider: 'acme', title: 'Acme', subject: '42', name: 'Ada', email: 'ada@acme.example' },
    ...{ linkedAt: SINCE, lastUsedAt: '2020-01-01T00:00:00.000Z' },
  }
  const section = (...rows: ProviderIdentity[]) => rendered(<IdentitiesSection />, { answers: [[IDENTITIES, rows]] })

  it('names who one is at each provider, and when that was used', () => {
    const page = section(identity, { ...identity, id: 'identity-2', title: undefined, name: undefined, email: undefined })
    expect(page.rows.slice(1).map((row) => row.slice(0, 2))).toEqual([
      ['Acme', 'Ada, ada@acme.example'],
      ['acme', '42'],
    ])
    expect(page.rows[1]?.[3]).toContain('years ago')
    expect(page.all('button').filter((name) => name === 'Unlink')).toHaveLength(2)
  })

  it('is not there for who has none', () => {
    expect(section().text).toBe('')
  })

  it('says what went wrong where they cannot be read', () => {
    const page = rendered(<IdentitiesSection />, { failures: [[IDENTITIES, new Problem('unavailable', 'Away', 'The service is away.')]] })
    expect(page.text).toContain('The service is away.')
  })
})

describe(DataSection, () => {
  it('offers the export', () => {
    expect(rendered(<DataSection />).isEnabled('Download')).toBe(true)
  })
})

describe(DeletionSection, () => {
  const preview: AccountDeletion = { graceHours: 72, resources: [], organizations: [], blockers: [], unreachable: [] }
  const section = (more: Partial<AccountDeletion> = {}) => rendered(<DeletionSection />, { answers: [[DELETION, { ...preview, ...more }]] })

  it('shows what happens to what one has before it asks for the password', () => {
    const page = section({
      resources: [{ deployment: 'nodes', kind: 'node', state: 'started', count: 2, effect: 'deleted' }],
      organizations: [{ id: 'org-1', name: 'Engines', effect: 'kept' }],
    })
    expect(page.rows).toEqual([
      ['What', 'State', 'Count', 'What happens'],
      ['node (nodes)', 'started', '2', 'Deleted'],
      ['Organization Engines', '', '1', 'Kept, without you'],
    ])
    expect(page.text).toContain('72 hours')
    expect(page.isEnabled('Delete my account')).toBe(true)
  })

  it.each<[string, Partial<AccountDeletion>, string]>([
    ['something blocks it', { blockers: ['You are the last owner of "Engines".'] }, 'last owner'],
    ['an area does not answer', { unreachable: ['staking'] }, 'staking'],
  ])('says why it is not possible when %s', (_, more, text) => {
    const page = section(more)
    expect(page.text).toContain(text)
    expect(page.isEnabled('Delete my account')).toBe(false)
  })

  it('offers to keep the account that is to be deleted, and nothing else', () => {
    const page = section({ requestedAt: '2026-11-23T12:00:00.000Z', dueAt: '2999-11-26T12:00:00.000Z' })
    expect(page.text).toContain('Your account will be deleted')
    expect(page.isEnabled('Keep my account')).toBe(true)
    expect(page.isEnabled('Delete my account')).toBeUndefined()
  })
})
