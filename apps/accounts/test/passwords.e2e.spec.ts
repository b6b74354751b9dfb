import { randomUUID } from 'node:crypto'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { type AccountsUnderTest, PASSWORD, startTestAccounts, type TestUser } from './accounts.js'

const OTHER = 'another horse battery staple'
const WRONG = 'not the password of anybody'

describe('passwords', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  let networks = 0
  const newNetwork = () => `203.0.113.${++networks}`
  const me = (token: string) => accounts.call('GET', '/users/me', { token })
  const tryToSignIn = (email: string, password: string) =>
    accounts.call('POST', '/auth', { basic: `${email}:${password}`, from: newNetwork() })

  describe('changing', () => {
    const change = (token: string, oldPassword: unknown, newPassword: unknown) =>
      accounts.call('PUT', '/users/me/password', { token, body: { oldPassword, newPassword } })

    it('invalidates every other token at once and returns a new one', async () => {
      const { id, email, token } = await accounts.createUser()
      const elsewhere = await accounts.signIn(email)
      const { status, body } = await change(token, PASSWORD, OTHER)
      expect(status).toBe(200)
      expect(body).toEqual({ updatedAt: expect.stringMatching(/Z$/), accessToken: expect.any(String) })

      expect((await accounts.mailed(email, 2))[0]?.subject).toBe('Your password was changed')
      await Promise.all([token, elsewhere].map((dead) => accounts.refused(dead)))
      expect((await me(body.accessToken)).body).toMatchObject({ id, updatedAt: body.updatedAt })
      expect((await tryToSignIn(email, PASSWORD)).status).toBe(401)
      expect((await tryToSignIn(email, OTHER)).status).toBe(200)

      const sessions = await accounts.call('GET', '/users/me/sessions', { token: body.accessToken })
      expect(sessions.body.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
      expect(sessions.body).toHaveLength(2)
    })

    it('tells the other services which tokens are no longer valid', async () => {
      const { id, token } = await accounts.createUser()
      await change(token, PASSWORD, OTHER)
      const { rows } = await accounts.sql.query("SELECT epoch FROM revocation WHERE kind = 'user' AND id = $1", [id])
      expect(rows).toEqual([{ epoch: 1 }])
      const told = await accounts.sql.query(
        "SELECT payload FROM outbox WHERE subject = 'accounts.revocation.recorded' AND payload->>'id' = $1",
        [id],
      )
      expect(told.rows).toEqual([{ payload: { kind: 'user', id, epoch: 1 } }])
    })

    it('refuses a wrong old password, slows down guessing, and changes nothing', async () => {
      const { email, token } = await accounts.createUser()
      const codes: string[] = []
      for (let time = 0; time < 7; time++) codes.push((await change(token, WRONG, OTHER)).body.code)
      expect(codes).toEqual([...Array(5).fill('WrongPassword'), 'TooManyAttempts', 'TooManyAttempts'])
      expect((await change(token, PASSWORD, OTHER)).status).toBe(429)
      expect((await me(token)).status).toBe(200)
      // Signing in is counted apart.
      expect((await tryToSignIn(email, PASSWORD)).status).toBe(200)
    })

    it.each<[string, unknown, string]>([
      ['the old one', PASSWORD, 'WeakPassword'],
      ['one of 14 characters', 'Vf3qPz81LmX0tY', 'WeakPassword'],
      ['a common one', 'Password1234567', 'WeakPassword'],
      ['none', undefined, 'InvalidInput'],
      ['a number', 123456789012345, 'InvalidInput'],
      ['an empty one', '', 'InvalidInput'],
    ])('refuses %s as the new password', async (_, newPassword, code) => {
      const { email, token } = await accounts.createUser()
      const { status, body } = await change(token, PASSWORD, newPassword)
      expect([status, body.code]).toEqual([400, code])
      expect((await tryToSignIn(email, PASSWORD)).status).toBe(200)
    })

    it('lets one of two changes at the same time win', async () => {
      const { email, token } = await accounts.createUser()
      const passwords = Array.from({ length: 5 }, (_, index) => `horse number ${index} has a battery`)
      const answers = await Promise.all(passwords.map((password) => change(token, PASSWORD, password)))
      const winners = passwords.filter((_, index) => answers[index]?.status === 200)
      expect(winners).toHaveLength(1)
      expect((await tryToSignIn(email, winners[0]!)).status).toBe(200)
    })
  })

  describe('resetting', () => {
    const request = (email: string, from = newNetwork()) => accounts.call('POST', '/users/password-resets', { body: { email }, from })
    const reset = (user: string, token: string, newPassword: string, from = newNetwork()) =>
      accounts.call('PUT', `/users/${encodeURIComponent(user)}/password-resets/${encodeURIComponent(token)}`, {
        body: { newPassword },
        from,
      })
    const requested = async ({ email }: Pick<TestUser, 'email'>, mails = 2) => {
      await request(email)
      return accounts.mailedToken(email, mails)
    }
    afterEach(() => accounts.setClockAhead(0))

    it('sets a new password with the token from the mail, and signs out everywhere', async () => {
      const user = await accounts.createUser()
      const answer = await request(user.email.toUpperCase())
      expect([answer.status, answer.body]).toEqual([202, { email: user.email.toUpperCase(), status: 'resetSent' }])

      const { status, body } = await reset(user.id, await accounts.mailedToken(user.email, 2), OTHER)
      expect([status, body]).toEqual([200, { id: user.id, updatedAt: expect.stringMatching(/Z$/) }])
      expect((await accounts.mailed(user.email, 3))[0]?.subject).toBe('Your password was changed')
      await accounts.refused(user.token)
      expect((await tryToSignIn(user.email, PASSWORD)).status).toBe(401)
      expect((await tryToSignIn(user.email, OTHER)).status).toBe(200)
    })

    it.each([
      ['ends all client keys with their tokens', undefined, 401],
      ['keeps the client keys where that is asked for', false, 200],
    ])('%s', async (_, endClientKeys, status) => {
      const user = await accounts.createUser()
      const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: user.token, body: {} })
      const tokenFor = (grant: object) => accounts.call('POST', '/auth/token', { body: grant })
      const { body: tokens } = await tokenFor({ grantType: 'clientCredentials', ...key })
      const mailed = await requested(user, 3)
      const path = `/users/${user.id}/password-resets/${mailed}`
      expect((await accounts.call('PUT', path, { body: { newPassword: OTHER, endClientKeys } })).status).toBe(200)
      expect((await tokenFor({ grantType: 'clientCredentials', ...key })).status).toBe(status)
      expect((await tokenFor({ grantType: 'refreshToken', refreshToken: tokens.refreshToken })).status).toBe(status)
      const { body: keys } = await accounts.call('GET', '/users/me/client-keys', { token: await accounts.signIn(user.email, OTHER) })
      expect(keys).toHaveLength(status === 200 ? 1 : 0)
    })

    it('responds alike for an address without an account, and mails nobody', async () => {
      const email = `${randomUUID()}@example.org`
      const { status, body } = await request(email)
      expect([status, body]).toEqual([202, { email, status: 'resetSent' }])
      const { rowCount } = await accounts.sql.query('SELECT FROM mail WHERE recipient = $1', [email])
      expect(rowCount).toBe(0)
    })

    it('mails at most once in five minutes, and the last mail counts', async () => {
      const user = await accounts.createUser()
      const first = await requested(user)
      await request(user.email)
      expect((await accounts.sql.query('SELECT FROM mail WHERE recipient = $1', [user.email])).rowCount).toBe(2)
      accounts.setClockAhead(5 * 60_000)
      const second = await requested(user, 3)
      expect((await reset(user.id, first, OTHER)).body.code).toBe('InvalidToken')
      expect((await reset(user.id, second, OTHER)).status).toBe(200)
    })

    it('accepts a token once', async () => {
      const user = await accounts.createUser()
      const token = await requested(user)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => reset(user.email, token, `horse number ${index} has a battery`)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.code === 'InvalidToken')).toHaveLength(9)
      expect((await reset(user.email, token, OTHER)).body.code).toBe('InvalidToken')
    })

    it('keeps the token when the new password is refused', async () => {
      const user = await accounts.createUser()
      const token = await requested(user)
      expect((await reset(user.id, token, 'too short')).body.code).toBe('WeakPassword')
      expect((await reset(user.id, token, OTHER)).status).toBe(200)
    })

    it('refuses a token of another user, for another purpose, or older than half an hour', async () => {
      const [user, other] = [await accounts.createUser(), await accounts.createUser()]
      const token = await requested(user)
      const unverified = `${randomUUID()}@example.org`
      await accounts.register(unverified)
      const attempts: [string, string][] = [
        [other.id, token],
        [user.id, randomUUID()],
        [unverified, await accounts.mailedToken(unverified)],
      ]
      for (const [ref, wrong] of attempts) {
        const { status, body } = await reset(ref, wrong, OTHER)
        expect([status, body.code]).toEqual([404, 'InvalidToken'])
      }
      expect((await accounts.call('PUT', `/users/${user.id}/token/${token}`)).body.code).toBe('InvalidToken')
      accounts.setClockAhead(30 * 60_000)
      expect((await reset(user.id, token, OTHER)).body.code).toBe('InvalidToken')
    })

    it('is invalid once the password was changed', async () => {
      const user = await accounts.createUser()
      const token = await requested(user)
      await accounts.call('PUT', '/users/me/password', { token: user.token, body: { oldPassword: PASSWORD, newPassword: OTHER } })
      expect((await reset(user.id, token, 'yet another horse battery')).body.code).toBe('InvalidToken')
    })

    it('verifies the address of a user who has read the mail', async () => {
      const email = `${randomUUID()}@example.org`
      await accounts.register(email)
      const token = await requested({ email })
      expect((await reset(email, token, OTHER)).status).toBe(200)
      expect((await tryToSignIn(email, OTHER)).status).toBe(200)
    })

    it('does nothing for a disabled user', async () => {
      const user = await accounts.createUser()
      const token = await requested(user)
      await accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [user.id])
      expect((await reset(user.id, token, OTHER)).body.code).toBe('InvalidToken')
      accounts.setClockAhead(5 * 60_000)
      expect((await request(user.email)).status).toBe(202)
      expect((await accounts.sql.query('SELECT FROM mail WHERE recipient = $1', [user.email])).rowCount).toBe(2)
    })

    it('is limited for one network', async () => {
      const from = newNetwork()
      accounts.stopClock()
      const ask = () => request(`${randomUUID()}@example.org`, from)
      const answers = await Promise.all(Array.from({ length: 50 }, () => retryWhileBusy(ask)))
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(30)
      expect(answers.find(({ status }) => status === 429)?.body.code).toBe('TooManyAttempts')
    })
  })
})
