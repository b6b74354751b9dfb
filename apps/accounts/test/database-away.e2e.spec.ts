import { eventually } from '@trestle/testing/eventually'
import { startPostgresProxy } from '@trestle/testing/postgres-proxy'
import { type AccountsUnderTest, accountsClient, PASSWORD, SOON_MS, startTestAccounts } from './accounts.js'

describe('while the database is away', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  it('every request is refused as unavailable, never as wrong, and succeeds afterwards', async () => {
    const { email, token } = await accounts.createUser()
    const link = await startPostgresProxy(accounts.database.url)
    const replica = await accounts.replica({ DATABASE_URL: link.url })
    const client = accountsClient(replica)
    const ask = () => client.call('GET', '/users/me', { token })
    const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token })
    const byKey = { body: { grantType: 'clientCredentials', ...key } }
    const { refreshToken } = (await accounts.call('POST', '/auth/token', byKey)).body
    await eventually(async () => (await ask()).status === 200 || undefined, 'the replica answers', SOON_MS)

    link.cut()
    const answers = [
      await client.call('POST', '/auth', { basic: `${email}:${PASSWORD}` }),
      await client.call('POST', '/auth', { basic: `${email}:not the password of anybody` }),
      await client.call('POST', '/auth', { basic: `nobody@example.org:${PASSWORD}` }),
      await client.call('POST', '/auth/token', byKey),
      await client.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken } }),
      await ask(),
      await client.register('new@example.org'),
      await client.call('PUT', `/users/${email}/token/x`),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [503, 'DatabaseUnavailable']))
    expect(answers[0]?.headers.get('retry-after')).toBe('1')

    link.mend()
    await eventually(async () => (await ask()).status === 200 || undefined, 'the replica answers again', SOON_MS)
    expect(await client.signIn(email)).toEqual(expect.any(String))
    await replica.stop()
    link.close()
  })
})
