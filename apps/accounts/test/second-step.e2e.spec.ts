import type { RunningService } from '@trestle/runtime/boot-service'
import { Clock } from '@trestle/runtime/clock'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, accountsClient, PASSWORD, SOON_MS, startTestAccounts } from './accounts.js'
import { type AppUser, claimsOf, factorsClient } from './factors.js'

let accounts: AccountsUnderTest
let factors: ReturnType<typeof factorsClient>
beforeAll(async () => {
  accounts = await startTestAccounts()
  factors = factorsClient(accounts)
})
afterAll(() => accounts.stop())

let networks = 0
const newNetwork = () => `203.0.113.${++networks}`

describe('signing in with a second factor', () => {
  let user: AppUser
  beforeAll(async () => {
    user = await factors.createAppUser()
  })

  it('says after the right password how to continue, and nothing after a wrong one', async () => {
    const { status, body } = await factors.begin(user)
    expect([status, body.code]).toEqual([403, 'SecondFactorRequired'])
    expect(body).toMatchObject({ challenge: expect.any(String), methods: ['totp', 'recovery-code'], expiresAt: expect.any(String) })
    const wrong = await factors.begin({ ...user, password: 'not the password of anybody' }, newNetwork())
    expect([wrong.status, wrong.body.code, wrong.body.challenge]).toEqual([401, 'InvalidCredentials', undefined])
  })

  it('opens a session with a code, which says how and when', async () => {
    const { challenge } = (await factors.begin(user)).body
    const { status, body, headers } = await factors.answer(challenge, { code: user.code() })
    expect([status, Object.keys(body), headers.get('cache-control')]).toEqual([200, ['accessToken'], 'no-store'])
    const { amr, auth_time, iat } = claimsOf(body.accessToken)
    expect([amr, auth_time]).toEqual([['pwd', 'otp', 'mfa'], iat])
    expect((await accounts.call('GET', '/users/me', { token: body.accessToken })).body.id).toBe(user.id)
  })

  it('accepts each code once, also of ten requests at once', async () => {
    const other = await factors.createAppUser()
    const challenges = await Promise.all(Array.from({ length: 4 }, async () => (await factors.begin(other)).body.challenge))
    const code = other.code()
    const replies = await Promise.all(challenges.map((challenge) => factors.answer(challenge, { code })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('accepts each challenge once, and none after five minutes', async () => {
    const other = await factors.createAppUser()
    const { challenge } = (await factors.begin(other)).body
    expect((await factors.answer(challenge, { code: other.code() })).status).toBe(200)
    expect(await factors.answer(challenge, { code: other.recoveryCodes[0] })).toMatchObject({
      status: 403,
      body: { code: 'InvalidChallenge' },
    })

    const late = (await factors.begin(other)).body.challenge
    accounts.setClockAhead(301_000)
    const reply = await factors.answer(late, { code: other.recoveryCodes[0] })
    accounts.setClockAhead(0)
    expect([reply.status, reply.body.code]).toEqual([403, 'InvalidChallenge'])
  })

  it('takes no challenge of somebody else, nor one from before a new password', async () => {
    const [ada, bob] = [await factors.createAppUser(), await factors.createAppUser()]
    const { challenge } = (await factors.begin(ada)).body
    expect((await factors.answer(challenge, { code: bob.code() })).status).toBe(403)
    expect((await factors.answer(challenge, { code: bob.recoveryCodes[0] })).status).toBe(403)
    await accounts.call('PUT', '/users/me/password', {
      token: ada.token,
      body: { oldPassword: PASSWORD, newPassword: `${PASSWORD} again` },
    })
    expect(await factors.answer(challenge, { code: ada.code() })).toMatchObject({ status: 403, body: { code: 'InvalidChallenge' } })
  })

  it('keeps what the token says about the factor when the password is changed', async () => {
    const ada = await factors.createAppUser()
    const change = { oldPassword: PASSWORD, newPassword: `${PASSWORD} again` }
    const { accessToken } = (await accounts.call('PUT', '/users/me/password', { token: ada.token, body: change })).body
    expect(claimsOf(accessToken).auth_time).toBe(claimsOf(ada.token).auth_time)
  })

  it.each([
    ['neither code nor passkey', {}],
    ['both', { code: '123456', passkey: {} }],
    ['a code of 1000 digits', { code: '1'.repeat(1000) }],
  ])('refuses %s', async (_, answer) => {
    const { challenge } = (await factors.begin(user)).body
    expect((await factors.answer(challenge, answer)).status).toBe(400)
  })

  it('is a matter of the user who was disabled in between, too', async () => {
    const other = await factors.createAppUser()
    const { challenge } = (await factors.begin(other)).body
    await accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [other.id])
    expect((await factors.answer(challenge, { code: other.code() })).status).toBe(401)
  })
})

describe('guessing codes', () => {
  // A refusal takes a second, after which the next attempt would be allowed.
  let moment: Date
  const stopClock = ({ app }: Pick<RunningService, 'app'>) => {
    app.get(Clock, { strict: false }).now = () => moment
  }
  beforeEach(() => {
    moment = new Date()
    stopClock(accounts.service)
  })
  afterEach(() => accounts.setClockAhead(0))

  it('is stopped after five wrong ones, at all replicas and after a restart', async () => {
    const user = await factors.createAppUser()
    const replica = await accounts.replica()
    stopClock(replica)
    const there = factorsClient({ ...accounts, ...accountsClient(replica) })
    const from = newNetwork()
    const { challenge } = (await factors.begin(user, from)).body
    const guess = (by: typeof factors) => by.answer(challenge, { code: wrongCode(user) }, from)
    const codes: string[] = []
    for (let index = 0; index < 8; index++) codes.push((await guess(index % 2 ? there : factors)).body.code)
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('InvalidSecondFactor'))
    expect(codes.slice(5)).toEqual(Array(3).fill('TooManyAttempts'))
    // Nor is the right one accepted now.
    const right = await factors.answer(challenge, { code: user.code() }, from)
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    await replica.stop()
    const restarted = await accounts.replica()
    stopClock(restarted)
    const again = factorsClient({ ...accounts, ...accountsClient(restarted) })
    expect((await again.answer(challenge, { code: wrongCode(user) }, newNetwork())).status).toBe(429)
    await restarted.stop()
    expect((await accounts.mailed(user.email, 3)).map(({ subject }) => subject)).toContain('Somebody tries to guess your codes')
  })

  it('delays neither a recovery code nor the networks on which the user signs in', async () => {
    const user = await factors.createAppUser()
    const home = newNetwork()
    const { challenge } = (await factors.begin(user, home)).body
    expect((await factors.answer(challenge, { code: user.recoveryCodes[0] }, home)).status).toBe(200)
    const from = newNetwork()
    const guessed = (await factors.begin(user, from)).body.challenge
    for (let index = 0; index < 7; index++) await factors.answer(guessed, { code: wrongCode(user) }, from)
    expect((await factors.answer(guessed, { code: user.code() }, from)).status).toBe(429)
    expect((await factors.answer(guessed, { code: user.recoveryCodes[1] }, from)).status).toBe(200)
    const own = (await factors.begin(user, home)).body.challenge
    expect((await factors.answer(own, { code: user.code() }, home)).status).toBe(200)
  })

  it('is not made easier by the right password: a network becomes known with the whole sign-in only', async () => {
    const user = await factors.createAppUser()
    const from = newNetwork()
    await factors.begin(user, from)
    const { challenge } = (await factors.begin(user, from)).body
    const statuses: number[] = []
    for (let index = 0; index < 7; index++) statuses.push((await factors.answer(challenge, { code: wrongCode(user) }, from)).status)
    // Elsewhere, too: the user's count is one.
    const elsewhere = newNetwork()
    const other = (await factors.begin(user, elsewhere)).body.challenge
    statuses.push((await factors.answer(other, { code: wrongCode(user) }, elsewhere)).status)
    expect(statuses.slice(5)).toEqual([429, 429, 429])
  })

  it('is in the security log as this user’s, with the code of the problem', async () => {
    const user = await factors.createAppUser()
    const { challenge } = (await factors.begin(user)).body
    await factors.answer(challenge, { code: wrongCode(user) })
    const found = await eventually(
      async () => {
        const { rows } = await accounts.sql.query('SELECT kind, outcome, code FROM security_event WHERE user_id = $1 AND route = $2', [
          user.id,
          '/auth/second-factor',
        ])
        return rows.length > 0 ? rows : undefined
      },
      'the failure is in the security log',
      SOON_MS,
    )
    expect(found).toEqual([{ kind: 'sign-in', outcome: 'failure', code: 'InvalidSecondFactor' }])
  })
})

/** Of none of the steps that are accepted. */
function wrongCode({ code }: AppUser): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => code(steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((each) => !right.includes(each)) ?? ''
}
