import { startLink } from '@trestle/testing/postgres-link'
import { PASSWORD, startTestAccounts, type TestAccounts, using } from './accounts.js'

describe('while the database is away', () => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  it('every request is refused as unavailable, never as wrong, and all is well afterwards', async () => {
    const { email, token } = await accounts.createUser()
    const link = await startLink(accounts.database.url)
    const replica = await accounts.replica({ DATABASE_URL: link.url })
    const client = using(replica)
    const ask = () => client.call('GET', '/users/me', { token })
    await accounts.eventually(async () => (await ask()).status === 200 || undefined, 'the replica answers')

    link.cut()
    const answers = [
      await client.call('POST', '/auth', { basic: `${email}:${PASSWORD}` }),
      await client.call('POST', '/auth', { basic: `${email}:not the password of anybody` }),
      await client.call('POST', '/auth', { basic: `nobody@example.org:${PASSWORD}` }),
      await ask(),
      await client.register('new@example.org'),
      await client.call('PUT', `/users/${email}/token/x`),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [503, 'DatabaseUnavailable']))
    expect(answers[0]?.headers.get('retry-after')).toBe('1')

    link.mend()
    await accounts.eventually(async () => (await ask()).status === 200 || undefined, 'the replica answers again')
    expect(await client.signIn(email)).toEqual(expect.any(String))
    await replica.stop()
    link.close()
  })
})
