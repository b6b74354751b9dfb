import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browse, CLIENT, startOpenIdProvider } from '@trestle/testing/openid-provider'
import { type AccountsUnderTest, accountsClient, PASSWORD, startTestAccounts, type TestUser } from '../accounts.js'
import { providersFile } from './providers-file.js'

const PUBLIC_URL = 'http://127.0.0.1:8080'

describe('the organization of a provider', () => {
  let folder: string
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
  let accounts: AccountsUnderTest
  let replica: Awaited<ReturnType<AccountsUnderTest['replica']>>
  let owner: TestUser
  let organization: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trestle-providers-'))
    writeFileSync(join(folder, 'secret'), CLIENT.secret)
    provider = await startOpenIdProvider(['acme', 'moved'].map((id) => `${PUBLIC_URL}/session/callback/${id}`))
    accounts = await startTestAccounts()
    owner = await accounts.createUser()
    organization = (await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Acme' } })).body.id
    replica = await accounts.replica({ IDENTITY_PROVIDERS_FILE: providersFile(folder, configured(organization)) })
  })
  afterAll(async () => {
    await replica?.stop()
    await accounts.stop()
    await provider.stop()
    rmSync(folder, { recursive: true })
  })

  function configured(organizationId: string): string {
    return JSON.stringify({
      providers: [
        {
          id: 'acme',
          title: 'Acme',
          preset: 'keycloak',
          issuer: provider.issuer,
          clientId: CLIENT.id,
          clientSecretFile: join(folder, 'secret'),
          domains: ['acme.example'],
          required: true,
          organization: organizationId,
          groups: { admins: ['admin'], money: ['billing'], owners: ['owner'] },
        },
      ],
    })
  }

  async function signIn(person: { subject: string; email: string }, groups?: readonly string[], at = replica) {
    provider.person(person.subject, { email: person.email, email_verified: true, groups })
    const { call } = accountsClient(at)
    const begun = (await call('POST', '/identity-providers/acme/sign-ins')).body
    const callback = await browse(begun.authorizationUrl, PUBLIC_URL)
    const { status, body, text } = await call('POST', '/identity-providers/acme/sessions', { body: { attempt: begun.attempt, callback } })
    if (status !== 200) throw new Error(text)
    return String(body.accessToken)
  }
  const somebody = () => ({ subject: randomUUID(), email: `${randomUUID()}@acme.example` })
  const sharedOf = async (token: string): Promise<{ id: string; roles: string[]; personal?: boolean }[]> =>
    (await accounts.call('GET', '/organizations', { token })).body.filter(({ personal }: { personal?: boolean }) => !personal)
  const rolesOf = async (token: string) => (await sharedOf(token)).map(({ roles }) => roles)
  const idOf = async (token: string) => (await accounts.call('GET', '/users/me', { token })).body.id
  const setRoles = async (token: string, roles: string[]) =>
    accounts.call('PUT', `/organizations/${organization}/members/${await idOf(token)}`, { token: owner.token, body: { roles } })

  it('is joined at the first sign-in, with the roles of the domain and of groups', async () => {
    expect(await rolesOf(await signIn(somebody()))).toEqual([['member']])
    expect(await rolesOf(await signIn(somebody(), ['admins', 'money', 'others']))).toEqual([['member', 'admin', 'billing']])
  })

  it('takes back the role of a group that is gone, at the next sign-in', async () => {
    const ada = somebody()
    expect(await rolesOf(await signIn(ada, ['admins']))).toEqual([['member', 'admin']])
    expect(await rolesOf(await signIn(ada, ['money']))).toEqual([['member', 'billing']])
    expect(await rolesOf(await signIn(ada))).toEqual([['member']])
  })

  it('leaves a role that was given by hand', async () => {
    const ada = somebody()
    const token = await signIn(ada)
    expect((await setRoles(token, ['member', 'admin'])).status).toBe(200)
    expect(await rolesOf(await signIn(ada, ['admins', 'money']))).toEqual([['admin', 'member', 'billing']])
    expect(await rolesOf(await signIn(ada))).toEqual([['admin', 'member']])
  })

  it('is joined again by whom somebody removed, as long as the provider says so', async () => {
    const ada = somebody()
    const token = await signIn(ada)
    await accounts.call('DELETE', `/organizations/${organization}/members/${await idOf(token)}`, { token: owner.token })
    expect(await rolesOf(token)).toEqual([])
    expect(await rolesOf(await signIn(ada))).toEqual([['member']])
  })

  it('keeps its last owner', async () => {
    const ada = somebody()
    const founder = await accounts.createUser()
    const other = (await accounts.call('POST', '/organizations', { token: founder.token, body: { name: 'Other' } })).body.id
    const at = await accounts.replica({ IDENTITY_PROVIDERS_FILE: providersFile(folder, configured(other)) })
    const token = await signIn(ada, ['owners'], at)
    await accounts.call('DELETE', `/organizations/${other}/members/${founder.id}`, { token: founder.token })
    expect(await rolesOf(token)).toEqual([['member', 'owner']])
    expect(await rolesOf(await signIn(ada, [], at))).toEqual([['member', 'owner']])
    await at.stop()
  })

  it('is joined also by who is in another one', async () => {
    const ada = somebody()
    const token = await signIn(ada)
    await accounts.call('DELETE', `/organizations/${organization}/members/${await idOf(token)}`, { token: owner.token })
    await accounts.call('POST', '/organizations', { token, body: { name: 'Mine' } })
    expect(await rolesOf(await signIn(ada, ['admins']))).toEqual([['owner'], ['member', 'admin']])
  })

  it('may be another one, or none that there is, without keeping anybody out', async () => {
    const ada = somebody()
    await signIn(ada, ['admins'])
    const founder = await accounts.createUser()
    const other = (await accounts.call('POST', '/organizations', { token: founder.token, body: { name: 'Other' } })).body.id
    const at = await accounts.replica({ IDENTITY_PROVIDERS_FILE: providersFile(folder, configured(other)) })
    const token = await signIn(ada, ['admins'], at)
    expect(await sharedOf(token)).toEqual([expect.objectContaining({ id: other, roles: ['member', 'admin'] })])
    await at.stop()
    const nowhere = await accounts.replica({ IDENTITY_PROVIDERS_FILE: providersFile(folder, configured('org-none')) })
    expect(await rolesOf(await signIn(ada, ['admins'], nowhere))).toEqual([])
    await nowhere.stop()
  })

  describe('with a domain whose users sign in there only', () => {
    const required = [403, 'SignInWithProvider']
    const answerOf = async (method: string, path: string, options: object) => {
      const { status, body } = await accountsClient(replica).call(method, path, options)
      return [status, body.code]
    }

    it('refuses every password, whether the address has an account or not, and says where to sign in', async () => {
      const email = `${randomUUID()}@acme.example`
      await accounts.createUser({ email })
      for (const name of [email, email.toUpperCase(), 'nobody@acme.example']) {
        expect(await answerOf('POST', '/auth', { basic: `${name}:${PASSWORD}` })).toEqual(required)
        expect(await answerOf('POST', '/users/password-resets', { body: { email: name } })).toEqual(required)
      }
      const { body } = await accountsClient(replica).call('POST', '/auth', { basic: `${email}:${PASSWORD}` })
      expect(body.detail).toContain('Acme')
      expect(body.detail).toContain(`${PUBLIC_URL}/app/account/sign-in`)
    })

    it('refuses a user id with the right password, and tells nothing about it with a wrong one', async () => {
      const { id } = await accounts.createUser({ email: `${randomUUID()}@acme.example` })
      expect(await answerOf('POST', '/auth', { basic: `${id}:${PASSWORD}` })).toEqual(required)
      for (const name of [id, `user-${randomUUID()}`])
        expect(await answerOf('POST', '/auth', { basic: `${name}:not the password` })).toEqual([401, 'InvalidCredentials'])
    })

    it('refuses a sign-up', async () => {
      const { register } = accountsClient(replica)
      const { status, body } = await register(`${randomUUID()}@acme.example`)
      expect([status, body.code]).toEqual(required)
    })

    it('refuses the tokens of resets from before, and a new password of who is signed in', async () => {
      const { email, token } = await accounts.createUser({ email: `${randomUUID()}@acme.example` })
      await accounts.call('POST', '/users/password-resets', { body: { email } })
      const reset = await accounts.mailedToken(email, 2)
      const newPassword = 'another long password of hers'
      expect(await answerOf('PUT', `/users/${email}/password-resets/${reset}`, { body: { newPassword } })).toEqual(required)
      expect(await answerOf('PUT', '/users/me/password', { token, body: { oldPassword: PASSWORD, newPassword } })).toEqual(required)
    })

    it('leaves other domains as they are, subdomains among them', async () => {
      for (const domain of ['example.org', 'sub.acme.example', 'notacme.example']) {
        const { email } = await accounts.createUser({ email: `${randomUUID()}@${domain}` })
        expect(await accountsClient(replica).signIn(email)).toBeTruthy()
      }
    })
  })

  it('gives no password: there is none to change, and a mail can set one where the domain allows it', async () => {
    const ada = somebody()
    const token = await signIn(ada)
    const body = { oldPassword: '', newPassword: 'another long password of hers' }
    expect((await accounts.call('PUT', '/users/me/password', { token, body })).status).toBe(400)
    const change = await accounts.call('PUT', '/users/me/password', { token, body: { ...body, oldPassword: 'x' } })
    expect([change.status, change.body.code]).toEqual([409, 'NoPassword'])
    const wrong = await accounts.call('POST', '/auth', { basic: `${ada.email}:x` })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'InvalidCredentials'])
    // This service has no provider: it is a platform that has given the rule up.
    await accounts.call('POST', '/users/password-resets', { body: { email: ada.email } })
    const reset = await accounts.mailedToken(ada.email)
    expect(
      (await accounts.call('PUT', `/users/${ada.email}/password-resets/${reset}`, { body: { newPassword: body.newPassword } })).status,
    ).toBe(200)
    expect(await accounts.signIn(ada.email, body.newPassword)).toBeTruthy()
  })
})
