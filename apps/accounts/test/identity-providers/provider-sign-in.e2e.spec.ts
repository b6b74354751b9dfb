import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browse, CLIENT, startOpenIdProvider } from '@trestle/testing/openid-provider'
import { type AccountsUnderTest, accountsClient, type HttpReply, PASSWORD, startTestAccounts } from '../accounts.js'
import { providersFile } from './providers-file.js'

const PUBLIC_URL = 'http://127.0.0.1:8080'

describe('signing in with an OpenID provider', () => {
  let folder: string
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trestle-providers-'))
    writeFileSync(join(folder, 'secret'), `${CLIENT.secret}\n`)
    provider = await startOpenIdProvider(['acme', 'open', 'joins'].map((id) => `${PUBLIC_URL}/session/callback/${id}`))
    accounts = await startTestAccounts({ IDENTITY_PROVIDERS_FILE: providersFile(folder, configuration()) })
  })
  afterAll(async () => {
    await accounts?.stop()
    await provider.stop()
    rmSync(folder, { recursive: true })
  })

  function configuration(more = ''): string {
    const entry = `issuer: '${provider.issuer}', clientId: ${CLIENT.id}, clientSecretFile: '${join(folder, 'secret')}'`
    return `providers:
  - {id: acme, title: Acme, preset: keycloak, ${entry}, domains: [acme.example], required: true}
  - {id: open, title: Open, ${entry}, domains: [known.example]}
${more}`
  }

  const begin = (id: string, from?: string) => accounts.call('POST', `/identity-providers/${id}/sign-ins`, { from })
  const finish = (id: string, attempt: string, callback: object, from?: string) =>
    accounts.call('POST', `/identity-providers/${id}/sessions`, { body: { attempt, callback }, from })

  async function signIn(id: string, from?: string): Promise<HttpReply> {
    const { status, body, text } = await begin(id, from)
    if (status !== 201) throw new Error(text)
    return finish(id, body.attempt, await browse(body.authorizationUrl, PUBLIC_URL), from)
  }
  const me = async (reply: HttpReply) => (await accounts.call('GET', '/users/me', { token: reply.body.accessToken })).body
  const somebody = (domain: string) => ({ subject: randomUUID(), email: `${randomUUID()}@${domain}` })

  it('lists the providers, and nothing secret of them', async () => {
    const { status, body } = await accounts.call('GET', '/identity-providers')
    expect([status, body]).toEqual([
      200,
      [
        { id: 'acme', title: 'Acme', domains: ['acme.example'], required: true },
        { id: 'open', title: 'Open', domains: ['known.example'], required: false },
      ],
    ])
  })

  it('sends the browser there with PKCE, a state and a nonce of its own', async () => {
    const [one, two] = await Promise.all([begin('acme'), begin('acme')])
    const query = new URL(one.body.authorizationUrl).searchParams
    expect(Object.fromEntries(query)).toEqual({
      client_id: CLIENT.id,
      response_type: 'code',
      redirect_uri: `${PUBLIC_URL}/session/callback/acme`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(query.get(name)).not.toBe(new URL(two.body.authorizationUrl).searchParams.get(name))
    expect(one.body.authorizationUrl).not.toContain(one.body.attempt)
  })

  it('creates a user of a domain that the provider decides about, and finds the same one again', async () => {
    const { subject, email } = somebody('acme.example')
    provider.person(subject, { email, email_verified: true, name: 'Ada Lovelace' })
    const first = await signIn('acme')
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const user = await me(first)
    expect(user).toMatchObject({ email, displayName: 'Ada Lovelace', entityType: 'individual' })
    // By its subject, whatever the address is by now.
    provider.person(subject, { email: 'other@acme.example', email_verified: true })
    expect(await me(await signIn('acme'))).toMatchObject({ id: user.id, email })
  })

  it('opens a session that says with whom, and ends as any other', async () => {
    const { subject, email } = somebody('acme.example')
    provider.person(subject, { email, email_verified: true })
    const { accessToken: token } = (await signIn('acme')).body
    const { body: sessions } = await accounts.call('GET', '/users/me/sessions', { token })
    expect(sessions).toEqual([expect.objectContaining({ provider: 'acme', current: true })])
    await accounts.call('DELETE', `/users/me/sessions/${sessions[0].id}`, { token })
    await accounts.refused(token)
  })

  it('mails about a network that is new, as for a password', async () => {
    const { subject, email } = somebody('acme.example')
    provider.person(subject, { email, email_verified: true })
    await signIn('acme', '198.51.100.7')
    await signIn('acme', '198.51.100.7')
    await signIn('acme', '198.51.100.8')
    const mails = (await accounts.mailed(email, 2)).map(({ subject, text }) => [subject, /Address: +(\S+)/.exec(text)?.[1]])
    expect(mails).toEqual([
      ['Sign-in from a new network', '198.51.100.8'],
      ['Sign-in from a new network', '198.51.100.7'],
    ])
  })

  it('leaves the account with a change of the address that let it in, when its owner undoes the change', async () => {
    const owner = await accounts.createUser()
    const { subject, email } = somebody('known.example')
    await accounts.call('POST', '/users/me/email-changes', { token: owner.token, body: { email, password: PASSWORD } })
    await accounts.call('PUT', `/users/${owner.id}/email-changes/${await accounts.mailedToken(email)}`)
    provider.person(subject, { email, email_verified: true })
    expect(await me(await signIn('open'))).toMatchObject({ id: owner.id })
    const undone = await accounts.call('DELETE', `/users/${owner.id}/email-changes/${await accounts.mailedToken(owner.email, 2)}`)
    expect(undone.status).toBe(200)
    const { id } = await me(await signIn('open'))
    expect(id).not.toBe(owner.id)
  })

  it('refuses a disabled user', async () => {
    const { subject, email } = somebody('acme.example')
    provider.person(subject, { email, email_verified: true })
    const user = await me(await signIn('acme'))
    await accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [user.id])
    const { status, body } = await signIn('acme')
    expect([status, body.code]).toEqual([403, 'UserDisabled'])
  })

  describe('links a user who is there already', () => {
    it('of a domain that the provider decides about, and mails them', async () => {
      const user = await accounts.createUser({ email: `${randomUUID()}@known.example` })
      provider.person(randomUUID(), { email: user.email.toUpperCase(), email_verified: true })
      expect((await me(await signIn('open'))).id).toBe(user.id)
      expect((await accounts.mailed(user.email, 2)).map(({ subject }) => subject)).toContain('You can now sign in with your company')
      // The password is still theirs.
      expect(await accounts.signIn(user.email)).toBeTruthy()
    })

    it('who never verified the address: whoever signed up with it gets nothing', async () => {
      const { subject, email } = somebody('known.example')
      await accounts.register(email)
      const token = await accounts.mailedToken(email)
      provider.person(subject, { email, email_verified: true, name: 'The owner' })
      expect(await me(await signIn('open'))).toMatchObject({ email, displayName: 'The owner' })
      const { status } = await accounts.call('POST', '/auth', { basic: `${email}:${PASSWORD}` })
      expect(status).toBe(401)
      const verified = await accounts.call('PUT', `/users/${email}/token/${token}`)
      expect([verified.status, verified.body.code]).toEqual([409, 'UserVerified'])
      expect((await accounts.call('POST', '/auth', { basic: `${email}:${PASSWORD}` })).status).toBe(401)
    })

    it('but not of any other domain, where the owner is asked by mail and told that there is an account', async () => {
      const victim = await accounts.createUser({ email: `${randomUUID()}@elsewhere.example` })
      provider.person(randomUUID(), { email: victim.email, email_verified: true })
      const { status, body } = await signIn('open')
      expect([status, body.code]).toEqual([403, 'UserNotVerified'])
      expect((await accounts.mailed(victim.email, 2))[0]?.subject).toBe('You already have an account')
      // Nor later.
      expect((await signIn('open')).status).toBe(403)
    })

    it('but not by an address that the provider has not verified', async () => {
      const user = await accounts.createUser({ email: `${randomUUID()}@known.example` })
      for (const email_verified of [false, undefined, 'true']) {
        provider.person(randomUUID(), { email: user.email, email_verified: email_verified as boolean })
        const { status, body } = await signIn('open')
        expect([status, body.code]).toEqual([403, 'EmailNotVerified'])
      }
    })
  })

  describe('signs up an address of any other domain', () => {
    it('once its owner has opened the link of a mail', async () => {
      const { subject, email } = somebody('elsewhere.example')
      provider.person(subject, { email, email_verified: true, name: 'Ada' })
      expect((await signIn('open')).body.code).toBe('UserNotVerified')
      expect((await signIn('open')).body.code).toBe('UserNotVerified')
      await accounts.call('PUT', `/users/${email}/token/${await accounts.mailedToken(email)}`)
      expect(await me(await signIn('open'))).toMatchObject({ email, displayName: 'Ada' })
    })

    it('and links nobody whom the owner has not let in: the owner signed up with a password', async () => {
      const { subject, email } = somebody('elsewhere.example')
      provider.person(subject, { email, email_verified: true })
      expect((await signIn('open')).body.code).toBe('UserNotVerified')
      await accounts.register(email)
      await accounts.mailed(email, 2)
      await accounts.call('PUT', `/users/${email}/token/${await accounts.mailedToken(email, 2)}`)
      expect(await accounts.signIn(email)).toBeTruthy()
      expect((await signIn('open')).status).toBe(403)
    })

    it('but not while registration is closed', async () => {
      const closed = await accounts.replica({ REGISTRATION: 'closed' })
      const { subject, email } = somebody('elsewhere.example')
      provider.person(subject, { email, email_verified: true })
      const call = (path: string, body?: object) => accountsClient(closed).call('POST', `/identity-providers/open${path}`, { body })
      const begun = (await call('/sign-ins')).body
      const callback = await browse(begun.authorizationUrl, PUBLIC_URL)
      const { status, body } = await call('/sessions', { attempt: begun.attempt, callback })
      expect([status, body.code]).toEqual([403, 'RegistrationClosed'])
      await closed.stop()
    })
  })

  describe('lets a browser finish', () => {
    it('once: neither its attempt nor its code is good a second time', async () => {
      const { subject, email } = somebody('acme.example')
      provider.person(subject, { email, email_verified: true })
      const begun = (await begin('acme')).body
      const callback = await browse(begun.authorizationUrl, PUBLIC_URL)
      expect((await finish('acme', begun.attempt, callback)).status).toBe(200)
      const again = await finish('acme', begun.attempt, callback)
      expect([again.status, again.body.code]).toEqual([400, 'SignInExpired'])
      const other = (await begin('acme')).body
      const stolen = await finish('acme', other.attempt, callback)
      expect([stolen.status, stolen.body.code]).toEqual([502, 'InvalidProviderAnswer'])
      const state = new URL(other.authorizationUrl).searchParams.get('state')
      const third = (await begin('acme')).body
      const replayed = { ...callback, state: new URL(third.authorizationUrl).searchParams.get('state') ?? state }
      expect((await finish('acme', third.attempt, replayed)).body.code).toBe('ProviderRefused')
    })

    it('only what it has begun: not with the attempt of another browser, at another provider, or later', async () => {
      const { subject, email } = somebody('acme.example')
      provider.person(subject, { email, email_verified: true })
      const [mine, theirs] = [(await begin('acme')).body, (await begin('acme')).body]
      const callback = await browse(mine.authorizationUrl, PUBLIC_URL)
      expect((await finish('acme', theirs.attempt, callback)).body.code).toBe('InvalidProviderAnswer')
      expect((await finish('open', mine.attempt, callback)).body.code).toBe('SignInExpired')
      expect((await finish('acme', 'guessed', callback)).body.code).toBe('SignInExpired')
      accounts.setClockAhead(10 * 60_000 + 1000)
      expect((await finish('acme', mine.attempt, callback)).body.code).toBe('SignInExpired')
      accounts.setClockAhead(0)
    })

    it('not when the provider has refused it', async () => {
      provider.nobody()
      const { status, body } = await signIn('acme')
      expect([status, body.code]).toEqual([403, 'ProviderRefused'])
    })

    it('only so often, if it guesses', async () => {
      const from = '198.51.100.90'
      const answers = []
      for (let i = 0; i < 32; i++) answers.push((await finish('acme', `guess-${i}`, {}, from)).body.code)
      expect(new Set(answers)).toEqual(new Set(['SignInExpired', 'TooManyAttempts']))
    })
  })

  it('knows no other provider', async () => {
    for (const reply of [await begin('other'), await finish('other', 'x', {})])
      expect([reply.status, reply.body.code]).toEqual([404, 'UnknownProvider'])
  })

  it('limits how many begin', async () => {
    const replica = await accounts.replica({ BUDGET_FACTOR: '0.01' })
    const from = { 'x-forwarded-for': '198.51.100.91' }
    const statuses = []
    for (let i = 0; i < 4; i++)
      statuses.push((await fetch(`${replica.url}/identity-providers/acme/sign-ins`, { method: 'POST', headers: from })).status)
    expect(statuses).toEqual([201, 201, 201, 429])
    await replica.stop()
  })

  it('leaves the sign-in and its provider in the security log', async () => {
    const { subject, email } = somebody('acme.example')
    provider.person(subject, { email, email_verified: true })
    const user = await me(await signIn('acme'))
    const find = () => accounts.sql.query('SELECT kind, outcome, target FROM security_event WHERE user_id = $1', [user.id])
    let found = await find()
    for (let i = 0; i < 100 && found.rows.length === 0; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      found = await find()
    }
    expect(found.rows).toEqual([{ kind: 'sign-in', outcome: 'success', target: { provider: 'acme' } }])
  })
})
