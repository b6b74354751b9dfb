import { eventually } from '@trestle/testing/eventually'
import { decodeJwt } from 'jose'
import { type AccountsUnderTest, type HttpReply, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let administrator: TestUser
beforeAll(async () => {
  accounts = await startTestAccounts({ ADMINISTRATORS: 'Root@Example.org, other@example.org' })
  administrator = await accounts.createUser({ email: 'root@example.ORG' })
})
afterAll(() => accounts.stop())

describe('an administrator', () => {
  it('is whom ADMINISTRATORS names, in any spelling', async () => {
    expect(decodeJwt(administrator.token).aud).toContain('manager')
    expect(decodeJwt((await accounts.createUser()).token).aud).not.toContain('manager')
    const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: administrator.token })
    const { body } = await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
    expect(decodeJwt(body.accessToken).aud).not.toContain('manager')
  })

  it('pages through all users and finds one by its address', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => accounts.createUser()))
    const seen: string[] = []
    let path: string | undefined = '/users?limit=2'
    while (path) {
      const { body, headers } = await ask('GET', path)
      seen.push(...body.map(({ id }: { id: string }) => id))
      path = /^<(\S+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(expect.arrayContaining([administrator.id, ...users.map(({ id }) => id)]))
    expect(new Set(seen).size).toBe(seen.length)
    const { body } = await ask('GET', '/users?email=ROOT@example.org')
    expect(body).toEqual([(await ask('GET', `/users/${administrator.id}`)).body])
    expect(body[0]).toMatchObject({ email: 'root@example.ORG', verifiedAt: expect.any(String) })
    expect((await ask('GET', '/users?email=nobody@example.org')).body).toEqual([])
  })

  it('disables a user, which invalidates all their tokens, and enables the user again', async () => {
    const user = await accounts.createUser()
    const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const issue = () => accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
    const { refreshToken } = (await issue()).body
    const refresh = () => accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken } })

    expect((await ask('POST', `/users/${user.id}/disable`)).body).toMatchObject({ id: user.id, disabledAt: expect.any(String) })
    const facts = "SELECT payload FROM outbox WHERE subject = 'accounts.user.disabled' AND payload->>'userId' = $1"
    expect((await accounts.sql.query(facts, [user.id])).rows).toEqual([
      { payload: { userId: user.id, disabledAt: expect.stringMatching(/Z$/) } },
    ])
    expect(refusal(await issue())).toEqual([401, 'InvalidClient'])
    expect(refusal(await refresh())).toEqual([401, 'InvalidRefreshToken'])
    const me = () => accounts.call('GET', '/users/me', { token: user.token })
    await eventually(async () => (await me()).status === 401 || undefined, 'the token is dead')
    await expect(accounts.signIn(user.email)).rejects.toThrow('401')

    expect((await ask('POST', `/users/${user.id}/enable`)).body).not.toHaveProperty('disabledAt')
    const { rows } = await accounts.sql.query(facts.replace('user.disabled', 'user.enabled'), [user.id])
    expect(rows).toEqual([{ payload: { userId: user.id, enabledAt: expect.stringMatching(/Z$/) } }])
    expect((await issue()).status).toBe(200)
    expect((await refresh()).status).toBe(200)
    expect((await me()).status).toBe(401)
    expect(await accounts.signIn(user.email)).toEqual(expect.any(String))
  })

  it.each(['GET /users/user-nobody', 'POST /users/x/disable', 'POST /users/x/enable', 'POST /mails/mail-x/resend'])(
    'finds nothing at %s',
    async (route) => {
      const [method = '', path = ''] = route.split(' ')
      expect(refusal(await ask(method, path))).toEqual([404, path.startsWith('/mails') ? 'UnknownMail' : 'UnknownUser'])
    },
  )

  it.each(['/users?cursor=x', `/users?cursor=${Buffer.from('1.event-00000000-0000-4000-8000-000000000000').toString('base64url')}`])(
    'goes nowhere by %s',
    async (path) => {
      expect(refusal(await ask('GET', path))).toEqual([400, 'InvalidCursor'])
    },
  )

  it('adds a pending signing key to each family, once', async () => {
    const before = (await ask('GET', '/signing-keys')).body
    expect(states(before)).toEqual(['account active', 'client active', 'refresh active'])
    const rotated = (await ask('POST', '/signing-keys/rotate')).body
    expect(states(rotated)).toEqual([
      'account active',
      'account pending',
      'client active',
      'client pending',
      'refresh active',
      'refresh pending',
    ])
    expect((await ask('POST', '/signing-keys/rotate')).body).toEqual(rotated)
    expect((await accounts.call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(4)
    expect(JSON.stringify(rotated)).not.toMatch(/"d"|private|sealed/i)
  })

  it('sees the state of the mails, without their texts', async () => {
    const mails = (await ask('GET', '/mails?state=sent&limit=1')).body
    expect(mails).toEqual([
      expect.objectContaining({ id: expect.stringMatching(/^mail-/), state: 'sent', attempts: 1, subject: expect.any(String) }),
    ])
    expect(mails[0]).not.toHaveProperty('text')
    expect(refusal(await ask('POST', `/mails/${mails[0].id}/resend`))).toEqual([409, 'MailErased'])
  })
})

function ask(method: string, path: string): Promise<HttpReply> {
  return accounts.call(method, path, { token: administrator.token })
}

function refusal({ status, body }: HttpReply): [number, string] {
  return [status, body.code]
}

function states(keys: { family: string; state: string }[]): string[] {
  return keys.map(({ family, state }) => `${family} ${state}`).sort()
}
