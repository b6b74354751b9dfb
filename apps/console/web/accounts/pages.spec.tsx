import type { ClientKey, NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { Problem } from '@trestle/problem/problem'
import { partial } from '../testing/partial.js'
import { rendered } from '../testing/rendered.js'
import { accountsTexts } from '../texts/accounts.js'
import CheckMailPage from './check-mail.js'
import { EditKeyForm } from './edit-key.js'
import EmailConfirm from './email-confirm.js'
import EmailUndo from './email-undo.js'
import Forgot from './forgot.js'
import Keys from './keys.js'
import { CLIENT_KEYS } from './new-key.js'
import { PROVIDERS, ProviderButtons } from './provider-buttons.js'
import Reset from './reset.js'
import { RotateForm } from './rotate-key.js'
import { SignInPage } from './sign-in.js'
import SignUpPage from './sign-up.js'
import { tokenSnippets } from './token-snippets.js'
import Verify from './verify.js'

const SINCE = '2026-03-01T12:00:00.000Z'

describe(SignInPage, () => {
  const signIn = (query = '') => rendered(<SignInPage />, { at: `/?${query}` })

  it('asks for address and password, as password managers expect', () => {
    const page = signIn()
    expect(page.input('Email address')).toContain('autoComplete="username"')
    expect(page.input('Password')).toContain('autoComplete="current-password"')
    expect(page.isEnabled('Sign in')).toBe(true)
    expect(page.has('role="alert"')).toBe(false)
  })

  it.each(['expired', 'verified', 'reset', 'changed', 'undone'] as const)('says why it is shown after "%s"', (notice) => {
    expect(signIn(`${notice}=1`).text).toContain(accountsTexts.signIn[notice])
    expect(signIn().text).not.toContain(accountsTexts.signIn[notice])
  })

  it('fills in the address that the link brought', () => {
    expect(signIn('email=ada%40example.org').input('Email address')).toContain('value="ada@example.org"')
  })

  it('leads on to whoever has no account or no password', () => {
    expect(signIn().links).toMatchObject({ 'Create an account': '/app/account/sign-up', 'Forgot your password?': '/app/account/forgot' })
  })
})

describe('a link in a mail about a change of address', () => {
  it.each([
    ['confirms it', EmailConfirm, 'Confirm my address', 'sign in with this address'],
    ['undoes it', EmailUndo, 'Restore my address', 'all client keys and the password end'],
  ] as const)('%s after a click, and says what that does', (_, Page, button, text) => {
    const page = rendered(<Page />)
    expect(page.isEnabled(button)).toBe(true)
    expect(page.text).toContain(text)
  })
})

describe(ProviderButtons, () => {
  const signIn = (...providers: object[]) => rendered(<SignInPage />, { answers: [[PROVIDERS, providers]] })

  it('offers each provider by its title', () => {
    const page = signIn({ id: 'acme', title: 'Acme' }, { id: 'github', title: 'GitHub' })
    expect([page.isEnabled('Sign in with Acme'), page.isEnabled('Sign in with GitHub')]).toEqual([true, true])
  })

  it('is nothing where there is none', () => {
    expect(signIn().text).not.toContain(' or ')
  })

  it('says what went wrong there, in words of its own', () => {
    const failed = (problem: string) => rendered(<SignInPage />, { at: `/?problem=${problem}` }).text
    expect(failed('EmailNotVerified')).toContain('Verify it there first.')
    expect(failed('%3Cb%3Efoo')).toContain('Signing in did not work. Try again.')
    expect(failed('constructor')).toContain('Signing in did not work. Try again.')
  })
})

describe(SignUpPage, () => {
  const signUp = (query = '') => rendered(<SignUpPage />, { at: `/?${query}` })

  it('asks for an invitation only of whoever has one', () => {
    expect(signUp().input('Invitation')).toBeUndefined()
    expect(signUp('invitation=abc').input('Invitation')).toContain('value="abc"')
  })

  it('asks for a new password', () => {
    expect(signUp().input('Password')).toContain('autoComplete="new-password"')
  })
})

describe(CheckMailPage, () => {
  const mail = (query: Record<string, string>, answers: Parameters<typeof rendered>[1] = {}) =>
    rendered(<CheckMailPage />, { at: `/?${new URLSearchParams(query)}`, ...answers })

  it.each([
    ['signUp', '/app/account/sign-up', 'activate your account'],
    ['unverified', '/app/account/sign-up', 'is not verified yet'],
    ['reset', '/app/account/forgot', 'works for 30 minutes'],
    ['anything else', '/app/account/sign-up', 'activate your account'],
  ])('after "%s" says what was sent, and leads to %s for another', (reason, path, sent) => {
    const page = mail({ for: reason, email: 'ada@example.org' })
    expect(page.text).toContain(sent)
    expect(page.text).toContain('ada@example.org')
    expect(Object.values(page.links)).toContain(`${path}?email=ada%40example.org`)
  })

  it('does without an address where the link has none', () => {
    expect(mail({ for: 'reset' }).text).toContain('an account for your address')
  })

  it('opens the mailbox only on a machine that has one', () => {
    const mailbox = ['accounts', 'mailbox', 'ada@example.org']
    const page = mail({ email: 'ada@example.org' }, { answers: [[mailbox, []]] })
    expect(page.links['Open the development mailbox']).toBe('/accounts/dev/mailbox?to=ada%40example.org')
    const none = mail({ email: 'ada@example.org' }, { failures: [[mailbox, new Problem('unknown', 'NotFound', 'Not here.')]] })
    expect(none.links['Open the development mailbox']).toBeUndefined()
    expect(none.text).not.toContain('Not here.')
  })
})

describe(Verify, () => {
  it('waits for a click: mail scanners open links, too', () => {
    const page = rendered(<Verify />)
    expect(page.isEnabled('Verify my address')).toBe(true)
    expect(page.links['Sign up again to get a new email']).toBeUndefined()
  })
})

describe(Forgot, () => {
  it('starts with the address that was typed before', () => {
    const page = rendered(<Forgot />, { at: '/?email=ada%40example.org' })
    expect(page.input('Email address')).toContain('value="ada@example.org"')
    expect(page.isEnabled('Send the email')).toBe(true)
    expect(page.links['Back to sign-in']).toBe('/app/account/sign-in')
  })
})

describe(Reset, () => {
  it('says what a new password ends', () => {
    const page = rendered(<Reset />)
    expect(page.text).toContain('You will be signed out everywhere.')
    expect(page.input('New password')).toContain('autoComplete="new-password"')
    expect(page.input('End all client keys too')).toContain('checked=""')
    expect(page.text).toContain('Someone who knew your password may have created a key.')
    expect(page.links['Send another email']).toBe('/app/account/forgot')
  })
})

describe(Keys, () => {
  const key: ClientKey = partial<ClientKey>({ id: 'client-1', name: 'payments', scopes: ['nodes', 'eth-rpc'], createdAt: SINCE })
  const keys = (...rows: readonly ClientKey[]) => rendered(<Keys />, { answers: [[CLIENT_KEYS, rows]] })
  const year = new Date().getUTCFullYear()

  it('explains what the first key is for, and offers it once', () => {
    const page = keys()
    expect(page.all('h2')).toEqual(['No keys yet'])
    expect(page.all('button').filter((name) => name === 'Create a key')).toHaveLength(1)
  })

  it('names areas in words, and a key without a name', () => {
    const page = keys(key, { ...key, id: 'client-2', name: undefined })
    expect(page.rows.slice(1).map((row) => row.slice(0, 2))).toEqual([
      [expect.stringMatching(/^payments client-1 Created /), 'Nodes Ethereum'],
      [expect.stringMatching(/^No name client-2 Created /), 'Nodes Ethereum'],
    ])
  })

  it.each([
    ['never', undefined],
    ['expired', '2020-01-01T00:00:00.000Z'],
    ['in 4 years', `${year + 5}-01-01T00:00:00.000Z`],
  ])('says "%s" of a key that expires at %s', (expected, expiresAt) => {
    const cell = keys({ ...key, expiresAt }).rows[1]?.[4]
    expect(cell).toMatch(expected === 'in 4 years' ? /^in [45] years$/ : new RegExp(`^${expected}$`))
  })

  it('says what single permissions are, in words, and what limits there are', () => {
    const limited = keys({ ...key, scopes: ['nodes:read', 'nodes:call'], perSecond: 5, perDay: 10_000, allowedIps: ['192.0.2.0/24'] })
    expect(limited.rows[1]?.slice(1, 3)).toEqual(['Nodes: see, call', '5 a second 10,000 a day from 192.0.2.0/24'])
    expect(keys(key).rows[1]?.[2]).toBe('any address')
  })

  describe('of an organization', () => {
    const organization = { id: 'org-1', name: 'Engines', permissions: [], roles: ['owner'] }
    const people = [
      { userId: 'user-2', displayName: 'Grace' },
      { userId: 'user-3', displayName: 'deployer', serviceAccount: true },
    ]
    const { localStorage } = globalThis
    beforeAll(() => Object.assign(globalThis, { localStorage: { getItem: () => 'org-1' } }))
    afterAll(() => Object.assign(globalThis, { localStorage }))

    it.each([
      ['user-1', 'you', 'Edit Rotate Delete'],
      ['user-2', 'Grace', 'Delete'],
      ['user-3', 'deployer Service account', 'Edit Rotate Delete'],
      ['user-4', 'A former member', 'Delete'],
    ])('says of the key of %s whom it acts as, and offers what the user may do', (userId, who, actions) => {
      const page = rendered(<Keys />, {
        answers: [
          [CLIENT_KEYS, [{ ...key, userId }]],
          [['accounts', 'me'], { id: 'user-1' }],
          [['accounts', 'organizations'], [organization]],
          [['accounts', 'organizations', 'org-1', 'members'], people],
        ],
      })
      expect([page.rows[1]?.[1], page.rows[1]?.at(-1)]).toEqual([who, actions])
    })
  })

  it('says whether a key was ever used, and from which network', () => {
    const from = keys({ ...key, lastUsedAt: '2020-01-01T00:00:00.000Z', lastUsedFrom: '192.0.2.0/24' })
    expect(from.rows[1]?.[3]).toMatch(/years ago from 192\.0\.2\.0\/24$/)

    expect(keys(key).rows[1]?.[3]).toBe('never')
    expect(keys({ ...key, lastUsedAt: '2020-01-01T00:00:00.000Z' }).rows[1]?.[3]).toMatch(/years ago$/)
  })

  it('shows why keys could not be read', () => {
    const page = rendered(<Keys />, { failures: [[CLIENT_KEYS, new Problem('unavailable', 'Away', 'The service is away.')]] })
    expect(page.text).toContain('The service is away.')
    expect(page.text).not.toContain('No keys yet')
  })
})

describe(EditKeyForm, () => {
  it('begins with the key as it is', () => {
    const key = partial<ClientKey>({ id: 'client-1', name: 'ci', scopes: ['nodes', 'eth:call'], perSecond: 5, allowedIps: ['192.0.2.1'] })
    const page = rendered(<EditKeyForm of={key} onDone={() => undefined} />)
    expect(page.input('Name')).toContain('value="ci"')
    expect(page.input('Valid for')).toContain('value="As it is"')
    expect(page.input('Requests per second')).toContain('value="5"')
    expect(page.input('Nodes: everything, also what is added later')).toContain('checked=""')
    expect(page.input('Call the Ethereum API.')).toContain('checked=""')
    expect(page.input('See Ethereum projects, their usage and failed calls.')).not.toContain('checked=""')
    // What a whole area covers is not asked for again.
    expect(page.input('See nodes and clusters.')).toBeUndefined()
    expect(page.isEnabled('Save')).toBe(true)
  })
})

describe(RotateForm, () => {
  it('says for how long the old secret stays valid', () => {
    const ignore = () => undefined
    const page = rendered(<RotateForm of={partial<ClientKey>({ id: 'client-1' })} grace="86400" onGrace={ignore} onRotated={ignore} />)
    expect(page.input('The old secret stays valid for')).toContain('value="1 day"')
    expect(page.isEnabled('Rotate')).toBe(true)
  })
})

describe(tokenSnippets, () => {
  it('shows the key and the address in every language', () => {
    const created = partial<NewClientKey>({ clientId: 'client-1', clientSecret: 's3cret' })
    const snippets = Object.values(tokenSnippets(created, 'https://trestle.example'))
    expect(snippets.length).toBeGreaterThan(1)
    for (const snippet of snippets) {
      expect(snippet).toContain('https://trestle.example')
      expect(snippet).toContain('client-1')
      expect(snippet).toContain('s3cret')
    }
  })
})
