import { randomUUID } from 'node:crypto'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { type AccountsUnderTest, accountsClient, BILLING, startTestAccounts } from './accounts.js'

describe('registering and verifying', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  const address = () => `${randomUUID()}@example.org`
  const verify = (user: string, token: string, from?: string) =>
    accounts.call('PUT', `/users/${encodeURIComponent(user)}/token/${encodeURIComponent(token)}`, { from })
  const countUsers = async (email: string) => {
    const { rowCount } = await accounts.sql.query('SELECT FROM "user" WHERE email_canonical = $1', [email.toLowerCase()])
    return rowCount
  }

  it('lets somebody sign up, verify and sign in', async () => {
    const answer = await accounts.register('Ada@Example.org')
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ email: 'Ada@Example.org', status: 'verificationSent' })

    const verified = await verify('Ada@Example.org', await accounts.mailedToken('Ada@Example.org'))
    expect(verified.status).toBe(200)
    expect(verified.body).toEqual({
      id: expect.stringMatching(/^user-[0-9a-f-]{36}$/),
      email: 'Ada@Example.org',
      verifiedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      code: 'UserVerified',
    })

    const { body } = await accounts.call('GET', '/users/me', { token: await accounts.signIn('ada@example.org') })
    expect(body).toEqual({
      id: verified.body.id,
      email: 'Ada@Example.org',
      displayName: 'Ada',
      entityType: 'individual',
      billingAddress: BILLING,
      verifiedAt: verified.body.verifiedAt,
      createdAt: expect.any(String),
      updatedAt: verified.body.verifiedAt,
    })
  })

  it('verifies a user who is named by id', async () => {
    const email = address()
    await accounts.register(email)
    const { rows } = await accounts.sql.query('SELECT id FROM "user" WHERE email = $1', [email])
    expect((await verify(rows[0].id, await accounts.mailedToken(email))).status).toBe(200)
  })

  it('takes no member of the account from the request', async () => {
    const email = address()
    const own = { id: 'user-1', verifiedAt: '2020-01-01T00:00:00.000Z', roles: ['admin'], epoch: 9, disabledAt: null }
    const { status, body } = await accounts.register(email, own)
    expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, Object.keys(own).map((name) => `body.${name}`)])
    const columns = 'SELECT id, verified_at, epoch FROM "user" WHERE email = $1'
    expect((await accounts.sql.query(columns, [email])).rows).toEqual([])
    await accounts.register(email)
    const { rows } = await accounts.sql.query(columns, [email])
    expect(rows).toEqual([{ id: expect.stringMatching(/^user-[0-9a-f-]{36}$/), verified_at: null, epoch: 0 }])
  })

  it('keeps a name as it was typed, and out of the mail', async () => {
    const email = address()
    const displayName = '<b>Ada</b> \u202e🐎'
    await accounts.register(email, { displayName })
    const [mail] = await accounts.mailed(email)
    expect(mail?.text).not.toContain('Ada')
    await verify(email, await accounts.mailedToken(email))
    const { body } = await accounts.call('GET', '/users/me', { token: await accounts.signIn(email) })
    expect(body.displayName).toBe(displayName)
  })

  it.each<[string, object]>([
    ['a name with U+0000', { displayName: 'a\u0000b' }],
    ['half a surrogate pair', { displayName: 'a\ud800b' }],
    ['an address with U+0000', { billingAddress: { ...BILLING, state: '\u0000' } }],
  ])('refuses %s, which could not be stored', async (_, more) => {
    const { status, body } = await accounts.register(address(), more)
    expect([status, body.code]).toEqual([400, 'InvalidJson'])
  })

  it.each<[string, object]>([
    ['a name of 201 characters', { displayName: 'x'.repeat(201) }],
    ['a name of spaces', { displayName: '   ' }],
    ['no billing address', { billingAddress: undefined }],
    ['a billing address of text', { billingAddress: 'CH' }],
    ['an unknown kind of entity', { entityType: 'robot' }],
    ['a password that is a number', { password: 123456789012345 }],
  ])('refuses %s', async (_, more) => {
    const { status, body } = await accounts.register(address(), more)
    expect([status, body.code]).toEqual([400, 'InvalidInput'])
  })

  it.each([
    'a@b.test\r\nBcc: x@y.test',
    'a@b.test,c@d.test',
    '"a b"@c.test',
    'a@[127.0.0.1]',
    `${'a'.repeat(65)}@example.org`,
    '<a@b.test>',
    `a@b.test\u202e`,
  ])('refuses the address %j', async (email) => {
    const { status, body } = await accounts.register(email)
    expect([status, body.code]).toEqual([400, 'InvalidEmail'])
  })

  it.each([
    ['14 characters', 'Vf3qPz81LmX0tY'],
    ['spaces', ' '.repeat(20)],
    ['the address', 'known@example.org'],
    ['a common password, lengthened', 'Password1234567'],
    ['1025 bytes', 'é'.repeat(513)],
  ])('refuses a password of %s', async (_, password) => {
    const { status, body } = await accounts.register('known@example.org', { password })
    expect([status, body.code]).toEqual([400, 'WeakPassword'])
    expect(await countUsers('known@example.org')).toBe(0)
  })

  it('creates one user for two spellings of an address', async () => {
    await accounts.createUser({ email: 'Jörg@example.org'.replace('ö', 'oe') })
    await accounts.createUser({ email: 'idn@münchen.example' })
    expect(await accounts.signIn('IDN@xn--mnchen-3ya.example')).toEqual(expect.any(String))
    expect((await accounts.register('idn@XN--MNCHEN-3YA.example')).status).toBe(201)
    const { rowCount } = await accounts.sql.query('SELECT FROM "user" WHERE email_canonical = \'idn@xn--mnchen-3ya.example\'')
    expect(rowCount).toBe(1)
    expect((await accounts.mailed('idn@münchen.example', 2))[0]?.subject).toBe('You already have an account')
  })

  describe('an address that has an account', () => {
    it('gets the same response; its owner is mailed, once an hour', async () => {
      const { email } = await accounts.createUser()
      const known = await accounts.register(email.toUpperCase(), { password: 'another horse battery staple' })
      const unknown = await accounts.register(address())
      expect([known.status, Object.keys(known.body)]).toEqual([unknown.status, Object.keys(unknown.body)])
      const [mail] = await accounts.mailed(email, 2)
      expect(mail?.subject).toBe('You already have an account')
      expect(await countUsers(email)).toBe(1)
      expect(await accounts.signIn(email)).toEqual(expect.any(String))

      await accounts.register(email)
      expect(await queuedTo(email)).toBe(2)
      accounts.setClockAhead(3600_000)
      await accounts.register(email)
      expect(await queuedTo(email)).toBe(3)
      accounts.setClockAhead(0)
    })

    it.each(['first', 'second'] as const)(
      'that is not verified gets the password of the sign-up whose mail is used: the %s',
      async (used) => {
        const email = address()
        const signUps = {
          first: { password: 'the owner weaves this one', displayName: 'Ada' },
          second: { password: 'the squatter knows this one', displayName: 'Mallory' },
        }
        await accounts.register(email, signUps.first)
        const first = await accounts.mailedToken(email)
        await accounts.register(email, signUps.second)
        const tokens = { first, second: await accounts.mailedToken(email, 2) }
        const [mail] = await accounts.mailed(email, 2)
        expect(mail?.text).toContain('It was not the first time')

        const other = used === 'first' ? 'second' : 'first'
        expect((await verify(email, tokens[used])).status).toBe(200)
        expect((await verify(email, tokens[other])).body.code).toBe('UserVerified')
        expect((await accounts.call('POST', '/auth', { basic: `${email}:${signUps[other].password}` })).status).toBe(401)
        const { body } = await accounts.call('GET', '/users/me', { token: await accounts.signIn(email, signUps[used].password) })
        expect(body.displayName).toBe(signUps[used].displayName)
        const { rows } = await accounts.sql.query('SELECT DISTINCT registration FROM email_token WHERE user_id = $1', [body.id])
        expect(rows).toEqual([{ registration: null }])
      },
    )

    it('that is not verified belongs to whoever reads its mail and sets a new password', async () => {
      const email = address()
      await accounts.register(email, { password: 'the squatter knows this one' })
      const squatted = await accounts.mailedToken(email)
      await accounts.call('POST', '/users/password-resets', { body: { email } })
      const token = await accounts.mailedToken(email, 2)
      const newPassword = 'the owner weaves this one'
      expect((await accounts.call('PUT', `/users/${email}/password-resets/${token}`, { body: { newPassword } })).status).toBe(200)
      expect((await verify(email, squatted)).body.code).toBe('UserVerified')
      expect(await accounts.signIn(email, newPassword)).toEqual(expect.any(String))
    })

    it('that is not verified gets five more mails an hour at most', async () => {
      const email = address()
      for (let time = 0; time < 8; time++) expect((await accounts.register(email)).status).toBe(201)
      expect(await queuedTo(email)).toBe(6)
    })
  })

  it('creates one user for simultaneous sign-ups', async () => {
    const email = address()
    const answers = await Promise.all(Array.from({ length: 30 }, () => retryWhileBusy(() => accounts.register(email))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await countUsers(email)).toBe(1)
  })

  describe('the verification token', () => {
    it('verifies once, however often it is sent at the same time', async () => {
      const email = address()
      await accounts.register(email)
      const token = await accounts.mailedToken(email)
      const everywhere = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`)
      const answers = await Promise.all(everywhere.map((from) => retryWhileBusy(() => verify(email, token, from))))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status, body }) => status === 409 && body.code === 'UserVerified')).toHaveLength(99)

      const { rows } = await accounts.sql.query('SELECT verified_at FROM "user" WHERE email = $1', [email])
      await verify(email, token)
      expect((await accounts.sql.query('SELECT verified_at FROM "user" WHERE email = $1', [email])).rows).toEqual(rows)
    })

    it('is refused alike when it is wrong, of another user, expired or in upper case', async () => {
      const [email, other] = [address(), address()]
      await accounts.register(email)
      await accounts.register(other)
      const token = await accounts.mailedToken(email)
      const otherToken = await accounts.mailedToken(other)
      const refusals: [string, string][] = [
        [email, randomUUID()],
        [email, otherToken],
        [email, token.toUpperCase()],
        [address(), token],
        ['user-1', token],
        [`user-${randomUUID()}`, token],
        ['../users', token],
        [email, '../me'],
      ]
      const answers = await Promise.all(refusals.map(([user, wrong]) => verify(user, wrong, '203.0.113.1')))
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'InvalidToken']))
      expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)

      accounts.setClockAhead(24 * 3600_000)
      expect((await verify(email, token, '203.0.113.1')).body.code).toBe('InvalidToken')
      accounts.setClockAhead(24 * 3600_000 - 5_000)
      expect((await verify(email, token, '203.0.113.1')).status).toBe(200)
      accounts.setClockAhead(0)
    })

    it('is refused when it is too long', async () => {
      expect((await verify(address(), 'x'.repeat(101), '203.0.113.2')).status).toBe(400)
      expect([400, 414]).toContain((await verify(address(), 'x'.repeat(10_000), '203.0.113.2')).status)
    })

    it('cannot be guessed: a network has thirty tries and then one every two seconds', async () => {
      const email = address()
      await accounts.register(email)
      accounts.stopClock()
      const guess = () => verify(email, randomUUID(), '203.0.113.3')
      const answers = await Promise.all(Array.from({ length: 200 }, () => retryWhileBusy(guess)))
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(30)
      const refused = answers.find(({ status }) => status === 429)
      expect(refused?.body.code).toBe('TooManyAttempts')
      expect(refused?.headers.get('retry-after')).toBe('2')
      const token = await accounts.mailedToken(email)
      expect((await verify(email, token, '203.0.113.3')).status).toBe(429)
      expect((await verify(email, token, '203.0.113.4')).status).toBe(200)
      accounts.setClockAhead(0)
    })

    it('is kept as a hash only', async () => {
      const email = address()
      await accounts.register(email)
      const token = await accounts.mailedToken(email)
      const { rows } = await accounts.sql.query(
        'SELECT row_to_json(t)::text AS row FROM email_token t UNION ALL SELECT row_to_json(m)::text FROM mail m',
      )
      expect(rows.filter(({ row }) => row.includes(token))).toEqual([])
    })
  })

  it.each([
    ['closed', 'RegistrationClosed'],
    ['invite', 'InvalidInvitation'],
  ])('lets nobody sign up who may not where registration is %s', async (REGISTRATION, code) => {
    const replica = await accounts.replica({ REGISTRATION })
    const email = address()
    const { body } = await accountsClient(replica).register(email, { invitation: 'none' })
    await replica.stop()
    expect(body.code).toBe(code)
    expect(await countUsers(email)).toBe(0)
  })

  async function queuedTo(email: string): Promise<number | null> {
    const { rowCount } = await accounts.sql.query('SELECT FROM mail WHERE recipient = $1', [email])
    return rowCount
  }
})
