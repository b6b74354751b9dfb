import { type AccountsUnderTest, startTestAccounts } from './accounts.js'
import { claimsOf, factorsClient } from './factors.js'

let accounts: AccountsUnderTest
beforeAll(async () => {
  accounts = await startTestAccounts({
    ADMINISTRATORS: 'root@example.org,other@example.org,third@example.org',
    ADMINISTRATORS_NEED_FACTOR: 'true',
  })
})
afterAll(() => accounts.stop())

const administer = (token: string) => accounts.call('GET', '/signing-keys', { token })

describe('administrators who must have a second factor', () => {
  it('are refused without one, and told what to do', async () => {
    const { token } = await accounts.createUser({ email: 'root@example.org' })
    const { status, body } = await administer(token)
    expect([status, body.code]).toEqual([403, 'FactorRequired'])
    expect(body.detail).toContain('Settings, Second factors')
    expect(claimsOf(token).aud).not.toContain('manager')
    const { token: stranger } = await accounts.createUser()
    expect((await administer(stranger)).body.code).toBe('NotManager')
  })

  it('administer with one, and no more once it is removed', async () => {
    const factors = factorsClient(accounts)
    const { token } = await factors.createAppUser({ email: 'other@example.org' })
    expect((await administer(token)).status).toBe(200)
    const [{ id }] = (await factors.list(token)).body.factors
    const { accessToken } = (await accounts.call('DELETE', `/users/me/second-factors/${id}`, { token })).body
    expect((await administer(accessToken)).body.code).toBe('FactorRequired')
  })

  it('remove the factors of a user who has lost everything, which ends all sessions and is mailed', async () => {
    const factors = factorsClient(accounts)
    const root = await factors.createAppUser({ email: 'third@example.org' })
    const user = await factors.createAppUser()
    const reset = () => accounts.call('DELETE', `/users/${user.id}/second-factors`, { token: root.token })
    expect([(await reset()).status, (await reset()).body.code]).toEqual([204, 'UnknownSecondFactor'])
    await accounts.refused(user.token)
    expect((await factors.begin(user)).status).toBe(200)
    expect((await accounts.mailed(user.email, 3))[0]).toMatchObject({ subject: 'Your second factors were removed' })
    expect((await accounts.call('DELETE', `/users/${root.id}/second-factors`, { token: await accounts.signIn(user.email) })).status).toBe(
      403,
    )
  })
})
