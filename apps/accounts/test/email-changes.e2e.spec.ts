import { randomUUID } from 'node:crypto'
import { type AccountsUnderTest, PASSWORD, startTestAccounts, type TestUser } from './accounts.js'

const HOUR_MS = 3600_000

describe('changing the e-mail address', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())
  afterEach(() => accounts.setClockAhead(0))

  let networks = 0
  const newNetwork = () => `203.0.113.${++networks}`
  const newAddress = () => `${randomUUID()}@example.org`
  const request = (token: string, email: unknown, password: unknown = PASSWORD) =>
    accounts.call('POST', '/users/me/email-changes', { token, body: { email, password }, from: newNetwork() })
  const confirm = (id: string, token: string) => accounts.call('PUT', `/users/${id}/email-changes/${token}`, { from: newNetwork() })
  const undo = (id: string, token: string) => accounts.call('DELETE', `/users/${id}/email-changes/${token}`, { from: newNetwork() })
  const signsIn = async (email: string, password = PASSWORD) =>
    (await accounts.call('POST', '/auth', { basic: `${email}:${password}`, from: newNetwork() })).status === 200
  const subjects = async (email: string) => {
    const { rows } = await accounts.sql.query('SELECT subject FROM mail WHERE recipient = $1 ORDER BY created_at', [email])
    return rows.map(({ subject }) => subject)
  }
  /** Changes the address, and returns the new one with the token that undoes it. */
  async function change(user: TestUser, email = newAddress()) {
    const mailsBefore = (await accounts.mails(email)).length
    expect((await request(user.token, email)).status).toBe(202)
    const { status } = await confirm(user.id, await accounts.mailedToken(email, mailsBefore + 1))
    expect(status).toBe(200)
    const notices = (await subjects(user.email)).length
    return { email, undoToken: await accounts.mailedToken(user.email, notices) }
  }

  it('takes effect with the token that was mailed to the new address, and not before', async () => {
    const user = await accounts.createUser()
    const email = newAddress()
    const asked = await request(user.token, email.toUpperCase())
    expect([asked.status, asked.body]).toEqual([202, { email: email.toUpperCase(), status: 'confirmationSent' }])
    const token = await accounts.mailedToken(email.toUpperCase())
    expect(await signsIn(user.email)).toBe(true)
    expect(await signsIn(email)).toBe(false)

    const { status, body } = await confirm(user.id, token)
    expect([status, body]).toEqual([200, { id: user.id, email: email.toUpperCase(), changedAt: expect.stringMatching(/Z$/) }])
    expect(await signsIn(user.email)).toBe(false)
    const renewed = await accounts.signIn(email)
    expect((await accounts.call('GET', '/users/me', { token: renewed })).body).toMatchObject({ id: user.id, email: email.toUpperCase() })
    expect((await accounts.mailed(user.email, 2))[0]).toMatchObject({
      subject: 'Your e-mail address was changed',
      text: expect.not.stringContaining(email),
    })
  })

  it('ends every session, and keeps the client keys', async () => {
    const user = await accounts.createUser()
    const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    await change(user)
    await accounts.refused(user.token)
    const { status } = await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...key } })
    expect(status).toBe(200)
  })

  it('asks for the password, and slows down guessing together with changes of the password', async () => {
    const user = await accounts.createUser()
    const codes: string[] = []
    for (let time = 0; time < 6; time++) codes.push((await request(user.token, newAddress(), 'not the password')).body.code)
    expect(codes).toEqual([...Array(5).fill('WrongPassword'), 'TooManyAttempts'])
    const other = { oldPassword: PASSWORD, newPassword: `${PASSWORD} 2` }
    expect((await accounts.call('PUT', '/users/me/password', { token: user.token, body: other })).status).toBe(429)
  })

  it.each([
    ['no address', 'InvalidEmail'],
    [5, 'InvalidInput'],
    [undefined, 'InvalidInput'],
  ])('refuses %j as an address', async (email, code) => {
    const { token } = await accounts.createUser()
    expect((await request(token, email)).body.code).toBe(code)
  })

  it('responds alike for an address that has an account, and mails its owner', async () => {
    const [user, other] = [await accounts.createUser(), await accounts.createUser()]
    const { status, body } = await request(user.token, other.email)
    expect([status, body]).toEqual([202, { email: other.email, status: 'confirmationSent' }])
    expect((await accounts.mailed(other.email, 2))[0]).toMatchObject({ subject: 'This e-mail address already has an account' })
    expect((await accounts.sql.query('SELECT FROM email_change WHERE user_id = $1', [user.id])).rowCount).toBe(0)
  })

  it('mails a disabled owner of the address nothing', async () => {
    const [user, other] = [await accounts.createUser(), await accounts.createUser()]
    await accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [other.id])
    expect((await request(user.token, other.email)).status).toBe(202)
    expect(await subjects(other.email)).toEqual(['Verify your e-mail address'])
  })

  it('gives an address that two users want to the first who confirms it', async () => {
    const [one, two] = [await accounts.createUser(), await accounts.createUser()]
    const email = newAddress()
    await request(one.token, email)
    const first = await accounts.mailedToken(email)
    await request(two.token, email)
    const second = await accounts.mailedToken(email, 2)
    const answers = await Promise.all([confirm(one.id, first), confirm(two.id, second)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('EmailInUse')
    const { rowCount } = await accounts.sql.query('SELECT FROM "user" WHERE email_canonical = $1', [email])
    expect(rowCount).toBe(1)
    // Whoever lost is not signed out, and not told that the address was changed.
    const loser = answers[0]?.status === 409 ? one : two
    expect((await accounts.call('GET', '/users/me', { token: loser.token })).status).toBe(200)
    expect(await subjects(loser.email)).toEqual(['Verify your e-mail address'])
  })

  it('is refused when somebody has signed up with the address meanwhile, and verified it', async () => {
    const user = await accounts.createUser()
    const email = newAddress()
    await request(user.token, email)
    const token = await accounts.mailedToken(email)
    await accounts.register(email)
    await accounts.call('PUT', `/users/${email}/token/${await accounts.mailedToken(email, 2)}`)
    const { status, body } = await confirm(user.id, token)
    expect([status, body.code]).toEqual([409, 'EmailInUse'])
    expect(await signsIn(user.email)).toBe(true)
  })

  it('is not blocked by somebody who has signed up with the address and cannot verify it', async () => {
    const user = await accounts.createUser()
    const email = newAddress()
    await accounts.register(email, { password: 'yet another horse battery' })
    const verification = await accounts.mailedToken(email)
    await request(user.token, email)
    expect((await confirm(user.id, await accounts.mailedToken(email, 2))).status).toBe(200)
    expect((await accounts.call('PUT', `/users/${email}/token/${verification}`)).body.code).toBe('InvalidToken')
    expect(await signsIn(email)).toBe(true)
  })

  it('accepts a token once, within a day, of this user and from the last request', async () => {
    const [user, other] = [await accounts.createUser(), await accounts.createUser()]
    const [earlier, email] = [newAddress(), newAddress()]
    await request(user.token, earlier)
    const replaced = await accounts.mailedToken(earlier)
    await request(user.token, email)
    const token = await accounts.mailedToken(email)
    expect((await confirm(user.id, replaced)).body.code).toBe('InvalidToken')
    expect((await confirm(other.id, token)).body.code).toBe('InvalidToken')
    accounts.setClockAhead(24 * HOUR_MS)
    expect((await confirm(user.id, token)).body.code).toBe('InvalidToken')
    accounts.setClockAhead(0)
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(user.id, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await confirm(user.id, token)).body.code).toBe('InvalidToken')
  })

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'the password was changed',
      ({ token }) =>
        accounts.call('PUT', '/users/me/password', { token, body: { oldPassword: PASSWORD, newPassword: 'yet another horse battery' } }),
    ],
    ['the user signed out everywhere', ({ token }) => accounts.call('DELETE', '/users/me/sessions', { token })],
    ['the user was disabled', ({ id }) => accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [id])],
  ])('is refused after %s', async (_, act) => {
    const user = await accounts.createUser()
    const email = newAddress()
    await request(user.token, email)
    const token = await accounts.mailedToken(email)
    await act(user)
    expect((await confirm(user.id, token)).body.code).toBe('InvalidToken')
  })

  it('ends a password reset that was mailed to the old address', async () => {
    const user = await accounts.createUser()
    await accounts.call('POST', '/users/password-resets', { body: { email: user.email }, from: newNetwork() })
    const reset = await accounts.mailedToken(user.email, 2)
    await change(user)
    const answer = await accounts.call('PUT', `/users/${user.id}/password-resets/${reset}`, { body: { newPassword: `${PASSWORD} 2` } })
    expect(answer.body.code).toBe('InvalidToken')
  })

  it('leaves an invitation to the old address to whoever signs in with that', async () => {
    const [owner, user] = [await accounts.createUser(), await accounts.createUser()]
    const { body: organization } = await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Ltd' } })
    const invitation = { email: user.email, roles: ['member'] }
    await accounts.call('POST', `/organizations/${organization.id}/invitations`, { token: owner.token, body: invitation })
    const link = (await accounts.mailed(user.email, 2))[0]?.text ?? ''
    const invited = /\/app\/account\/invitation\/(\S+)/.exec(link)?.[1]
    const { email, undoToken } = await change(user)
    const accept = async (token: string) => (await accounts.call('PUT', `/invitations/${invited}`, { token })).body
    expect((await accept(await accounts.signIn(email))).code).toBe('WrongRecipient')
    expect(undoToken).not.toBe('')
  })

  it('is limited to five a day', async () => {
    const user = await accounts.createUser()
    accounts.stopClock()
    const { BUDGET_FACTOR } = { BUDGET_FACTOR: 7 }
    const answers = []
    for (let time = 0; time <= 5 * BUDGET_FACTOR; time++) answers.push((await request(user.token, user.email)).status)
    expect(answers.filter((status) => status === 202)).toHaveLength(5 * BUDGET_FACTOR)
    expect(answers.at(-1)).toBe(429)
  })

  describe('can be undone', () => {
    it('from the old address, which takes sessions, keys and the password from whoever changed it', async () => {
      const user = await accounts.createUser()
      const { email, undoToken } = await change(user)
      const session = await accounts.signIn(email)
      const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: session })
      const { status, body } = await undo(user.id, undoToken)
      expect([status, body]).toEqual([200, { id: user.id, email: user.email, changedAt: expect.stringMatching(/Z$/) }])
      await accounts.refused(session)
      expect((await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...key } })).status).toBe(401)
      expect([await signsIn(email), await signsIn(user.email)]).toEqual([false, false])
      const mails = await accounts.mailed(user.email, 3)
      const reset = /^ {2}(\S{36,})$/m.exec(mails.find(({ subject }) => subject === 'Set a new password')?.text ?? '')?.[1]
      const changed = await accounts.call('PUT', `/users/${user.id}/password-resets/${reset}`, { body: { newPassword: `${PASSWORD} 2` } })
      expect(changed.status).toBe(200)
      expect(await signsIn(user.email, `${PASSWORD} 2`)).toBe(true)
    })

    it('once, within 72 hours, with the token of this user', async () => {
      const [user, other] = [await accounts.createUser(), await accounts.createUser()]
      const { undoToken } = await change(user)
      expect((await undo(other.id, undoToken)).body.code).toBe('InvalidToken')
      accounts.setClockAhead(72 * HOUR_MS + 60_000)
      expect((await undo(user.id, undoToken)).body.code).toBe('InvalidToken')
      accounts.setClockAhead(0)
      const answers = await Promise.all(Array.from({ length: 3 }, () => undo(user.id, undoToken)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    })

    it('with all the changes that followed it, which can no longer be undone themselves', async () => {
      const user = await accounts.createUser()
      const first = await change(user)
      const second = await change({ ...user, email: first.email, token: await accounts.signIn(first.email) })
      expect((await undo(user.id, first.undoToken)).status).toBe(200)
      expect((await accounts.sql.query('SELECT email FROM "user" WHERE id = $1', [user.id])).rows).toEqual([{ email: user.email }])
      expect((await undo(user.id, second.undoToken)).body.code).toBe('InvalidToken')
    })

    it('unless the old address has an account by now', async () => {
      const user = await accounts.createUser()
      const { undoToken, email } = await change(user)
      await accounts.register(user.email)
      await accounts.call('PUT', `/users/${user.email}/token/${await accounts.mailedToken(user.email, 3)}`)
      const { status, body } = await undo(user.id, undoToken)
      expect([status, body.code]).toEqual([409, 'EmailInUse'])
      expect(await signsIn(email)).toBe(true)
    })
  })

  it('is in the security log', async () => {
    const user = await accounts.createUser()
    const { undoToken } = await change(user)
    await undo(user.id, undoToken)
    const { rows } = await accounts.sql.query(
      `SELECT event->>'kind' AS kind FROM outbox, jsonb_array_elements(payload->'events') AS event
        WHERE subject = 'accounts.security-event.recorded' AND event->>'kind' LIKE 'email-change%' ORDER BY seq DESC LIMIT 3`,
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['email-change-undone', 'email-changed', 'email-change-requested'])
  })
})
