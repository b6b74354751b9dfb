import { randomUUID } from 'node:crypto'
import { type AccountsUnderTest, startTestAccounts } from './accounts.js'
import { authenticatorApp, claimsOf, factorsClient } from './factors.js'

let accounts: AccountsUnderTest
let factors: ReturnType<typeof factorsClient>
beforeAll(async () => {
  accounts = await startTestAccounts()
  factors = factorsClient(accounts)
})
afterAll(() => accounts.stop())

describe('adding an authenticator app', () => {
  it('counts once a code has confirmed it', async () => {
    const user = await accounts.createUser()
    const { status, body, headers } = await factors.enrol(user.token)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body.uri).toBe(
      `otpauth://totp/localhost:${encodeURIComponent(user.email)}?secret=${body.secret}&issuer=localhost&algorithm=SHA1&digits=6&period=30`,
    )
    expect((await factors.list(user.token)).body).toEqual({ factors: [], recoveryCodes: 0, hasPassword: true })
    expect((await factors.begin(user)).status).toBe(200)
    expect(await factors.confirm(user.token, '000000')).toMatchObject({ status: 403, body: { code: 'InvalidSecondFactor' } })

    const confirmed = await factors.confirm(user.token, authenticatorApp(body.secret)())
    expect(confirmed.status).toBe(200)
    expect(confirmed.body).toMatchObject({ factor: { kind: 'totp', name: 'Authenticator app' } })
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10)
    expect(await factors.list(confirmed.body.accessToken)).toMatchObject({ body: { factors: [{ kind: 'totp' }], recoveryCodes: 10 } })
  })

  it('takes the password for the first one: a stolen token must not keep out the owner', async () => {
    const { token } = await accounts.createUser()
    for (const password of [undefined, 'not the password of anybody'])
      expect(await factors.enrol(token, password)).toMatchObject({ status: password ? 403 : 200 })
    expect(await accounts.call('POST', '/users/me/second-factors/totp', { token })).toMatchObject({
      status: 403,
      body: { code: 'WrongPassword' },
    })
  })

  it('ends all other sessions, and the token from before', async () => {
    const user = await accounts.createUser()
    const elsewhere = await accounts.signIn(user.email)
    const { body } = await factors.enrol(user.token)
    const { accessToken } = (await factors.confirm(user.token, authenticatorApp(body.secret)())).body
    await Promise.all([user.token, elsewhere].map((token) => accounts.refused(token)))
    expect((await accounts.call('GET', '/users/me', { token: accessToken })).status).toBe(200)
    expect(claimsOf(accessToken)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], auth_time: expect.any(Number) })
  })

  it('mails the user, and stores neither the secret nor the codes in clear', async () => {
    const user = await factors.createAppUser()
    expect((await accounts.mailed(user.email, 2))[0]).toMatchObject({ subject: 'A second factor was added to your account' })
    const { rows } = await accounts.sql.query(
      'SELECT f.*, c.hash FROM second_factor f JOIN recovery_code c USING (user_id) WHERE user_id = $1',
      [user.id],
    )
    const stored = JSON.stringify(
      rows.map((row) => Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))),
    )
    for (const code of user.recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''))
    expect(rows).toHaveLength(10)
  })

  it('replaces the app before', async () => {
    const user = await factors.createAppUser()
    const { body } = await factors.enrol(user.token)
    const next = authenticatorApp(body.secret)
    expect((await factors.confirm(user.token, next(-1))).body).toEqual({ factor: expect.objectContaining({ kind: 'totp' }) })
    expect((await factors.list(user.token)).body.factors).toHaveLength(1)
    const { challenge } = (await factors.begin(user)).body
    expect((await factors.answer(challenge, { code: user.code() })).status).toBe(403)
    expect((await factors.answer(challenge, { code: next() })).status).toBe(200)
  })

  it('is not confirmed by guessing: it would give the recovery codes to whoever has a stolen token', async () => {
    const user = await accounts.createUser()
    await factors.enrol(user.token)
    const codes: string[] = []
    for (let i = 0; i < 7; i++) codes.push((await factors.confirm(user.token, String(i).padStart(6, '0'))).body.code)
    expect(codes).toEqual([...Array(5).fill('InvalidSecondFactor'), ...Array(2).fill('TooManyAttempts')])
  })

  it('is confirmed within an hour', async () => {
    const user = await accounts.createUser()
    const { body } = await factors.enrol(user.token)
    accounts.setClockAhead(3600_000)
    const late = await factors.confirm(user.token, authenticatorApp(body.secret)(120))
    accounts.setClockAhead(0)
    expect([late.status, late.body.code]).toEqual([404, 'UnknownSecondFactor'])
  })

  it('is not confirmed by a token whose session has ended, where that is not known yet', async () => {
    const user = await accounts.createUser()
    const { body } = await factors.enrol(user.token)
    await accounts.sql.query('UPDATE session SET ended_at = now() WHERE user_id = $1', [user.id])
    const late = await factors.confirm(user.token, authenticatorApp(body.secret)())
    expect([late.status, late.body.code]).toEqual([401, 'InvalidToken'])
    expect(
      (await accounts.sql.query('SELECT FROM second_factor WHERE user_id = $1 AND confirmed_at IS NOT NULL', [user.id])).rowCount,
    ).toBe(0)
  })

  it('gives one set of recovery codes where two confirmations arrive at once', async () => {
    const user = await accounts.createUser()
    const { body } = await factors.enrol(user.token)
    const code = authenticatorApp(body.secret)()
    const replies = await Promise.all([1, 2, 3].map(() => factors.confirm(user.token, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('a lost device', () => {
  it('is made good by a recovery code, each once, and a mail says so', async () => {
    const user = await factors.createAppUser()
    const [code = '', other = ''] = user.recoveryCodes
    const first = (await factors.begin(user)).body.challenge
    const { body } = await factors.answer(first, { code: code.toUpperCase().replaceAll('-', ' ') })
    expect(claimsOf(body.accessToken).amr).toEqual(['pwd', 'otp', 'mfa'])
    expect((await accounts.mailed(user.email, 3))[0]).toMatchObject({ subject: 'A recovery code was used' })
    expect((await factors.list(body.accessToken)).body.recoveryCodes).toBe(9)
    const second = (await factors.begin(user)).body.challenge
    expect((await factors.answer(second, { code })).status).toBe(403)
    expect((await factors.answer(second, { code: other })).status).toBe(200)
  })

  it('ends with new codes, after which the old ones are worth nothing', async () => {
    const user = await factors.createAppUser()
    const { body } = await accounts.call('POST', '/users/me/second-factors/recovery-codes', { token: user.token })
    expect(body.recoveryCodes).toHaveLength(10)
    const { challenge } = (await factors.begin(user)).body
    expect((await factors.answer(challenge, { code: user.recoveryCodes[0] })).status).toBe(403)
    expect((await factors.answer(challenge, { code: body.recoveryCodes[0] })).status).toBe(200)
  })

  it('gives no recovery codes to who has no factor', async () => {
    const { token } = await accounts.createUser()
    expect((await accounts.call('POST', '/users/me/second-factors/recovery-codes', { token })).status).toBe(404)
  })
})

describe('removing a factor', () => {
  it('ends all other sessions with the last one, and the password alone signs in again', async () => {
    const user = await factors.createAppUser()
    const [{ id }] = (await factors.list(user.token)).body.factors
    const { status, body } = await accounts.call('DELETE', `/users/me/second-factors/${id}`, { token: user.token })
    expect(status).toBe(200)
    await accounts.refused(user.token)
    expect(claimsOf(body.accessToken).auth_time).toBeUndefined()
    expect((await factors.list(body.accessToken)).body).toEqual({ factors: [], recoveryCodes: 0, hasPassword: true })
    expect((await factors.begin(user)).status).toBe(200)
  })

  it('is for the owner only', async () => {
    const [ada, bob] = [await factors.createAppUser(), await factors.createAppUser()]
    const [{ id }] = (await factors.list(ada.token)).body.factors
    for (const unknown of [id, `factor-${randomUUID()}`])
      expect(await accounts.call('DELETE', `/users/me/second-factors/${unknown}`, { token: bob.token })).toMatchObject({
        status: 404,
        body: { code: 'UnknownSecondFactor' },
      })
    expect((await accounts.call('PATCH', `/users/me/second-factors/${id}`, { token: ada.token, body: { name: 'Phone' } })).body.name).toBe(
      'Phone',
    )
    expect((await accounts.call('PATCH', `/users/me/second-factors/${id}`, { token: bob.token, body: { name: 'Mine' } })).status).toBe(404)
  })
})
