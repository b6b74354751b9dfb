import type { ManagedUser } from '@trestle/contracts/accounts/administration'
import type { SecurityEvent } from '@trestle/contracts/security-event'
import type { RegionSigner } from '@trestle/contracts/staking/custody'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { administrationTexts } from '../texts/administration.js'
import { LimitsPanel } from './limits-panel.js'
import { MailsPanel } from './mails.js'
import Administration from './pages.js'
import { QuotaPanel } from './quota-panel.js'
import { SecurityLogPanel } from './security-log.js'
import { NO_SECURITY_FILTER } from './security-log-filter.js'
import { SignersPanel } from './signers.js'
import { SigningKeysPanel } from './signing-keys.js'
import { UserPage } from './user-page.js'
import { UserState } from './user-state.js'
import { UsersPanel } from './users.js'

const SINCE = '2026-03-01T12:00:00.000Z'
const ID = 'user-11111111-aaaa-bbbb-cccc-0123456789ab'
const AWAY = new Problem('unavailable', 'Away', 'The service is away.')
const USER = partial<ManagedUser>({
  id: ID,
  email: 'ada@example.org',
  displayName: 'Ada',
  entityType: 'individual',
  createdAt: SINCE,
  verifiedAt: SINCE,
})

describe(Administration, () => {
  const at = '/app/administration'
  const signedIn = (manager: boolean) =>
    rendered(<Administration />, { at, route: '/app/administration/*', answers: [[['session'], { signedIn: true, manager }]] })

  it('is closed to everyone else', () => {
    const page = signedIn(false)
    expect(page.all('h2')).toEqual(['Administrators only'])
    expect(page.input('Email address')).toBeUndefined()
  })

  it('is closed while the session is unknown', () => {
    expect(rendered(<Administration />, { at }).all('h2')).toEqual(['Administrators only'])
  })

  it('has a tab for each section, users first', () => {
    const page = signedIn(true)
    for (const section of Object.values(administrationTexts.sections)) expect(page.text).toContain(section)
    expect(page.input('Email address')).toBeDefined()
  })
})

describe(SignersPanel, () => {
  const at = (state: 'bound' | 'other') =>
    partial<RegionSigner>({
      ...{ chain: 'eth', region: 'eu', state, identity: 'token:aa', keys: 3, unknownKeys: 1, away: null },
      other: state === 'other' ? { identity: 'token:bb', reason: 'identity', since: SINCE } : null,
    })
  const key = { chain: 'eth', pubkey: 'ab'.repeat(48), region: 'eu', organization: 'org-1', status: null, lostAt: SINCE, silentEpochs: 2 }
  const panel = (signers: readonly RegionSigner[], keys: readonly object[] = []) =>
    rendered(<SignersPanel />, {
      answers: [
        [['administration', 'signers'], signers],
        [['administration', 'lost-keys'], keys],
      ],
    })

  it('offers to accept another signer only', () => {
    const other = panel([at('other')])
    expect(other.text).toContain('another signer')
    expect(other.text).toContain('3, 1 unknown')
    expect(other.isEnabled('Accept')).toBe(true)
    expect(panel([at('bound')]).isEnabled('Accept')).toBeUndefined()
  })

  it('offers to import lost keys again', () => {
    expect(panel([]).text).toContain('No lost keys.')
    const page = panel([at('bound')], [{ ...key, allowedAt: null, note: null }])
    expect(page.isEnabled('Allow import')).toBe(true)
  })
})

describe(UsersPanel, () => {
  const users = (rows: readonly ManagedUser[], email = '') =>
    rendered(<UsersPanel />, {
      at: `/?${new URLSearchParams(email && { email })}`,
      answers: [[['administration', 'users', email], { pages: [{ rows, walk: undefined }], pageParams: [undefined] }]],
    })

  it('lists users, each with a link to its page', () => {
    const page = users([USER, { ...USER, id: 'user-2', email: 'bob@example.org', entityType: 'company' }])
    expect(page.rows.slice(1).map((row) => row.slice(0, 3))).toEqual([
      ['ada@example.org', 'Ada', 'Individual'],
      ['bob@example.org', 'Ada', 'Company'],
    ])
    expect(page.links['ada@example.org']).toBe(`/app/administration/users/${ID}`)
  })

  it('keeps the address that was searched for, with a way back to all', () => {
    const page = users([USER], 'ada@example.org')
    expect(page.input('Email address')).toContain('value="ada@example.org"')
    expect(page.isEnabled('Show all')).toBe(true)
    expect(users([USER]).isEnabled('Show all')).toBeUndefined()
  })

  it('says that the address has no user', () => {
    expect(users([], 'nobody@example.org').all('h2')).toEqual(['No user with this address'])
  })

  it('shows a failure, and keeps the search usable', () => {
    const page = rendered(<UsersPanel />, { failures: [[['administration', 'users', ''], AWAY]] })
    expect(page.text).toContain('The service is away.')
    expect(page.isEnabled('Find')).toBe(true)
  })

  it('offers more only after a full page', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...USER, id: `user-${index}` }))
    const walk = (async function* () {})()
    const paged = (count: number) =>
      rendered(<UsersPanel />, {
        answers: [[['administration', 'users', ''], { pages: [{ rows: many(count), walk }], pageParams: [undefined] }]],
      })
    expect(paged(49).isEnabled('Load more')).toBeUndefined()
    expect(paged(50).isEnabled('Load more')).toBe(true)
  })
})

describe(UserState, () => {
  it.each([
    ['active', {}],
    ['not verified', { verifiedAt: undefined }],
    ['disabled', { disabledAt: SINCE }],
    ['disabled', { disabledAt: SINCE, verifiedAt: undefined }],
  ])('is "%s" with %j', (expected, change) => {
    expect(rendered(<UserState user={{ ...USER, ...change }} />).text).toBe(expected)
  })
})

describe(UserPage, () => {
  const userPage = (change: object = {}) =>
    rendered(<UserPage />, {
      at: `/users/${ID}`,
      route: '/users/:id',
      answers: [[['administration', 'user', ID], { ...USER, ...change }]],
    })

  it('is titled by the address, below the list', () => {
    const page = userPage()
    expect(page.all('h1')).toEqual(['ada@example.org'])
    expect(page.links['Users']).toBe('/app/administration')
    expect(page.all('dt')).not.toContain('Disabled')
  })

  it('offers to disable an enabled user, and to enable a disabled one', () => {
    expect([userPage().isEnabled('Disable'), userPage().isEnabled('Enable')]).toEqual([true, undefined])
    const disabled = userPage({ disabledAt: SINCE })
    expect([disabled.isEnabled('Disable'), disabled.isEnabled('Enable')]).toEqual([undefined, true])
    expect(disabled.all('dt')).toContain('Disabled')
  })

  it('says that an address is not verified', () => {
    expect(userPage({ verifiedAt: undefined }).all('dd')).toContain('not yet')
  })

  it('has no actions for a user that could not be read', () => {
    const page = rendered(<UserPage />, { at: `/users/${ID}`, route: '/users/:id', failures: [[['administration', 'user', ID], AWAY]] })
    expect(page.all('h1')).toEqual(['User'])
    expect(page.text).toContain('The service is away.')
    expect(page.isEnabled('Disable')).toBeUndefined()
  })
})

describe(QuotaPanel, () => {
  const quota = (change: object = {}) =>
    rendered(<QuotaPanel userId={ID} />, {
      answers: [
        [
          ['administration', 'plan', ID],
          { nodes: 5, clusters: 2, used: { nodes: 3, clusters: 0 }, startsAt: SINCE, expiresAt: SINCE, ...change },
        ],
      ],
    })

  it('shows what is used of what is allowed', () => {
    expect(quota().all('dd').slice(0, 2)).toEqual(['3 of 5', '0 of 2'])
    expect(quota({ nodes: 1_000_000 }).all('dd')[0]).toBe('3 of 1,000,000')
  })

  it('says when a plan starts that has not begun, and names no end', () => {
    const page = quota({ startsAt: null, expiresAt: null })
    expect(page.all('dd')).toContain('with their first node or cluster')
    expect(page.all('dt')).not.toContain('Ends')
  })

  it('begins with the current numbers, and needs a last day', () => {
    const page = quota()
    expect([page.input('Nodes'), page.input('Clusters')].map((input) => /value="(\d+)"/.exec(input ?? '')?.[1])).toEqual(['5', '2'])
    expect(page.isEnabled('Set quota')).toBe(false)
  })
})

describe(LimitsPanel, () => {
  const limits = (change: object = {}) =>
    rendered(<LimitsPanel userId={ID} chain="eth" title="Ethereum" />, {
      answers: [[['administration', 'limits', 'eth', ID], { perSecond: 50_000, perDay: 1_000_000_000, ...change }]],
    })

  it('begins with the limits that apply', () => {
    const page = limits()
    expect(page.text).toContain('Ethereum: highest limits of a project')
    expect(page.all('dd')).toEqual(['no, the limits of the platform apply'])
    expect(page.input('Per second')).toContain('value="50,000"')
    expect(page.input('Per day (UTC)')).toContain('value="1,000,000,000"')
    expect(page.isEnabled('Grant limits')).toBe(true)
  })

  it('offers to revoke only what was granted', () => {
    expect(limits().isEnabled('Revoke')).toBeUndefined()
    expect(limits({ grantedAt: SINCE }).isEnabled('Revoke')).toBe(true)
  })
})

describe(SigningKeysPanel, () => {
  it.each([
    ['pending', 'pending'],
    ['active', 'signing'],
    ['retired', 'accepted only'],
  ])('says of a key that is %s: "%s"', (state, expected) => {
    const key = { kid: 'k'.repeat(43), family: 'client', state, createdAt: SINCE }
    const page = rendered(<SigningKeysPanel />, { answers: [[['administration', 'signing-keys'], [key]]] })
    expect(page.rows[1]?.slice(0, 2)).toEqual(['client tokens', expected])
    expect(page.isEnabled('Rotate')).toBe(true)
    expect(page.isEnabled('Declare compromised')).toBe(true)
  })

  it('declares no key compromised twice', () => {
    const key = { kid: 'k'.repeat(43), family: 'account', state: 'compromised', createdAt: SINCE }
    const page = rendered(<SigningKeysPanel />, { answers: [[['administration', 'signing-keys'], [key]]] })
    expect(page.rows[1]?.slice(0, 2)).toEqual(['account tokens', 'compromised'])
    expect(page.isEnabled('Declare compromised')).toBeUndefined()
  })
})

describe(SecurityLogPanel, () => {
  const log = (rows: readonly SecurityEvent[]) =>
    rendered(<SecurityLogPanel />, {
      answers: [[['administration', 'security-log', NO_SECURITY_FILTER], { pages: [{ rows, walk: undefined }], pageParams: [undefined] }]],
    })

  it('shows who did what from where, and why it failed', () => {
    const event = partial<SecurityEvent>({
      id: 'security-1',
      createdAt: SINCE,
      kind: 'sign-in',
      outcome: 'failure',
      code: 'InvalidCredentials',
      attempted: 'abcdefghijklmnop',
      clientAddress: '203.0.113.9',
      service: 'accounts',
      method: 'POST',
      route: '/auth',
      target: {},
    })
    expect(log([event]).rows[1]?.slice(1)).toEqual(['sign-in', 'InvalidCredentials', 'abcdefghijkl', '203.0.113.9', 'accounts POST /auth'])
  })

  it('says that nothing matches', () => {
    expect(log([]).text).toContain('No entries match.')
  })
})

describe(MailsPanel, () => {
  const mail = { id: 'mail-1', recipient: 'ada@example.org', subject: 'Verify', attempts: 3, lastError: 'refused', createdAt: SINCE }
  const mails = (...rows: object[]) => rendered(<MailsPanel />, { answers: [[['administration', 'mails', 'failed'], rows]] })

  it('begins with the failed ones, of which there may be none', () => {
    expect(mails().text).toContain('No failed emails.')
  })

  it('sends only a failed email again', () => {
    const page = mails({ ...mail, state: 'failed' }, { ...mail, id: 'mail-2', recipient: 'bob@example.org', state: 'sent' })
    expect(page.isEnabled('Send the email to ada@example.org again')).toBe(true)
    expect(page.isEnabled('Send the email to bob@example.org again')).toBeUndefined()
    expect(page.rows.slice(1).map((row) => row.slice(0, 5))).toEqual([
      ['ada@example.org', 'Verify', 'Failed', '3', 'refused'],
      ['bob@example.org', 'Verify', 'Sent', '3', 'refused'],
    ])
  })
})
