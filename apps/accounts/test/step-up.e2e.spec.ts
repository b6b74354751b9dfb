import { SigningKeysService } from '../src/signing-keys/signing-keys.service.js'
import { type AccountsUnderTest, startTestAccounts } from './accounts.js'
import { type AppUser, claimsOf, factorsClient } from './factors.js'

let accounts: AccountsUnderTest
let factors: ReturnType<typeof factorsClient>
beforeAll(async () => {
  accounts = await startTestAccounts()
  factors = factorsClient(accounts)
  // Keys that could sign a quarter of an hour ago.
  await accounts.sql.query(
    "UPDATE signing_key SET created_at = created_at - interval '1 hour', active_from = active_from - interval '1 hour'",
  )
  await accounts.service.app.get(SigningKeysService, { strict: false }).reload()
})
afterAll(() => accounts.stop())

describe('a step-up', () => {
  it('is demanded ten minutes after the last proof, and met with a code', async () => {
    const user = await factors.createAppUser()
    const [{ id }] = (await factors.list(user.token)).body.factors
    const old = await agedToken(user)
    const refused = await accounts.call('DELETE', `/users/me/second-factors/${id}`, { token: old })
    expect([refused.status, refused.body.code]).toEqual([401, 'StepUpRequired'])
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_user_authentication"')
    expect(refused.headers.get('www-authenticate')).toContain('max_age="600"')
    // What is not dangerous goes on.
    expect((await factors.list(old)).status).toBe(200)

    const fresh = await factors.stepUp(old, user.code())
    const [before, after] = [claimsOf(old), claimsOf(fresh)]
    expect([after.sid, after.exp]).toEqual([before.sid, before.exp])
    expect((await accounts.call('DELETE', `/users/me/second-factors/${id}`, { token: fresh })).status).toBe(200)
  })

  it('does not bind users without a factor', async () => {
    const { token } = await accounts.createUser()
    expect((await accounts.call('POST', '/users/me/client-keys', { token })).status).toBe(200)
    expect((await accounts.call('POST', '/auth/step-up', { token })).status).toBe(404)
  })

  it('is of an open session', async () => {
    const user = await factors.createAppUser()
    const { challenge } = (await accounts.call('POST', '/auth/step-up', { token: user.token })).body
    await accounts.call('DELETE', '/users/me/sessions', { token: user.token })
    expect(await factors.answer(challenge, { code: user.code() })).toMatchObject({ status: 403, body: { code: 'InvalidChallenge' } })
  })
})

/** A token of this user that says that the factor was proven eleven minutes ago. */
async function agedToken(user: AppUser): Promise<string> {
  accounts.setClockAhead(-11 * 60_000)
  const { challenge } = (await factors.begin(user)).body
  const { body } = await factors.answer(challenge, { code: user.recoveryCodes.at(-1) })
  accounts.setClockAhead(0)
  return body.accessToken
}
