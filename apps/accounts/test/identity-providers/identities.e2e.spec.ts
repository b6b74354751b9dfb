import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@trestle/testing/eventually'
import { browse, CLIENT, startOpenIdProvider } from '@trestle/testing/openid-provider'
import { type AccountsUnderTest, accountsClient, type HttpReply, PASSWORD, SOON_MS, startTestAccounts, type TestUser } from '../accounts.js'
import { authenticatorApp, factorsClient } from '../factors.js'
import { providersFile } from './providers-file.js'

const PUBLIC_URL = 'http://127.0.0.1:8080'

describe('the identities of a user at providers', () => {
  let folder: string
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
  let accounts: AccountsUnderTest
  let replica: Awaited<ReturnType<AccountsUnderTest['replica']>>
  let client: ReturnType<typeof accountsClient>
  let owner: TestUser
  let organization: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trestle-providers-'))
    writeFileSync(join(folder, 'secret'), CLIENT.secret)
    provider = await startOpenIdProvider(['acme', 'open'].map((id) => `${PUBLIC_URL}/session/callback/${id}`))
    accounts = await startTestAccounts()
    owner = await accounts.createUser()
    organization = (await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Known' } })).body.id
    const entry = { issuer: provider.issuer, clientId: CLIENT.id, clientSecretFile: join(folder, 'secret') }
    const acme = { ...entry, id: 'acme', title: 'Acme', domains: ['acme.example'], required: true }
    const open = { ...entry, id: 'open', title: 'Open', domains: ['known.example'], organization, roles: [], groups: { admins: ['admin'] } }
    replica = await accounts.replica({ IDENTITY_PROVIDERS_FILE: providersFile(folder, JSON.stringify({ providers: [acme, open] })) })
    client = accountsClient(replica)
  })
  afterAll(async () => {
    await replica?.stop()
    await accounts?.stop()
    await provider.stop()
    rmSync(folder, { recursive: true })
  })

  interface Person {
    readonly subject: string
    readonly email: string
    readonly name?: string
    readonly groups?: readonly string[]
  }
  const somebody = (domain = 'known.example'): Person => ({ subject: randomUUID(), email: `${randomUUID()}@${domain}` })

  async function begin({ subject, ...person }: Person, id: string) {
    provider.person(subject, { ...person, email_verified: true })
    const { attempt, authorizationUrl } = (await client.call('POST', `/identity-providers/${id}/sign-ins`)).body
    const callback = await browse(authorizationUrl, PUBLIC_URL)
    return () => client.call('POST', `/identity-providers/${id}/sessions`, { body: { attempt, callback } })
  }
  const signIn = async (person: Person, id = 'open') => (await begin(person, id))()
  const tokenOf = async (person: Person, id?: string): Promise<string> => (await signIn(person, id)).body.accessToken
  const list = async (token: string) => (await client.call('GET', '/users/me/identities', { token })).body
  const idOf = async (token: string, { subject }: Person): Promise<string> =>
    (await list(token)).find((each: { subject: string }) => each.subject === subject).id
  const unlink = (token: string, id: string, body?: object) => client.call('POST', `/users/me/identities/${id}/unlink`, { token, body })
  const codeOf = ({ status, body }: HttpReply) => [status, body.code]
  const userOf = async (token: string) => (await client.call('GET', '/users/me', { token })).body.id

  /** Somebody with two identities of one address, and the token of the sign-in with the first. */
  async function withTwo(): Promise<{ one: Person; two: Person; token: string }> {
    const one = somebody()
    const two = { ...one, subject: randomUUID() }
    await signIn(two)
    return { one, two, token: await tokenOf(one) }
  }

  it('are listed with who the provider says they are, as of the last sign-in', async () => {
    const ada = { ...somebody(), name: 'Ada' }
    const token = await tokenOf(ada)
    const [identity, ...others] = await list(token)
    expect([identity, others]).toEqual([
      {
        ...{ id: expect.stringMatching(/^identity-[0-9a-f-]{36}$/), provider: 'open', title: 'Open', subject: ada.subject },
        ...{ name: 'Ada', email: ada.email, linkedAt: expect.any(String), lastUsedAt: expect.any(String) },
      },
      [],
    ])
    await signIn({ ...ada, name: 'Countess Lovelace', email: 'ada@other.example' })
    const [later] = await list(token)
    expect(later).toMatchObject({ id: identity.id, name: 'Countess Lovelace', email: 'ada@other.example', linkedAt: identity.linkedAt })
    expect(later.lastUsedAt > identity.lastUsedAt).toBe(true)
    expect(await list(owner.token)).toEqual([])
  })

  it('are unlinked, and with one all other sessions end', async () => {
    const { one, two, token } = await withTwo()
    const elsewhere = await tokenOf(two)
    const { status, headers, body } = await unlink(token, await idOf(token, two))
    expect([status, headers.get('cache-control'), body]).toEqual([200, 'no-store', { accessToken: expect.any(String) }])
    await accounts.refused(elsewhere)
    expect(await list(body.accessToken)).toEqual([expect.objectContaining({ subject: one.subject })])
    const subjects = (await accounts.mailed(one.email, 2)).map(({ subject }) => subject)
    expect(subjects).toContain('An identity was unlinked from your account')
    const user = await userOf(body.accessToken)
    await eventually(
      async () => {
        const { rows } = await accounts.sql.query('SELECT outcome FROM security_event WHERE user_id = $1 AND kind = $2', [
          user,
          'identity-unlinked',
        ])
        return rows.length === 1 && rows[0].outcome === 'success' ? true : undefined
      },
      'the entry in the security log',
      SOON_MS,
    )
  })

  it('may be the one of the present session, which stays', async () => {
    const { one, two, token } = await withTwo()
    const { accessToken } = (await unlink(token, await idOf(token, one))).body
    expect((await list(accessToken)).map(({ subject }: Person) => subject)).toEqual([two.subject])
  })

  it('keep one way to sign in: another identity, or a password', async () => {
    const ada = somebody()
    const token = await tokenOf(ada)
    const id = await idOf(token, ada)
    expect(await unlink(token, id)).toMatchObject({
      status: 409,
      body: { code: 'LastSignIn', detail: expect.stringContaining('set a password') },
    })
    await client.call('POST', '/users/password-resets', { body: { email: ada.email } })
    const reset = await accounts.mailedToken(ada.email)
    await client.call('PUT', `/users/${ada.email}/password-resets/${reset}`, { body: { newPassword: PASSWORD } })
    const other = await client.signIn(ada.email)
    expect(codeOf(await unlink(other, id))).toEqual([403, 'WrongPassword'])
    expect(codeOf(await unlink(other, id, { password: 'not the password of hers' }))).toEqual([403, 'WrongPassword'])
    expect((await unlink(other, id, { password: PASSWORD })).status).toBe(200)
  })

  it('of a required provider count alone: a password opens nothing there', async () => {
    const { email } = await accounts.createUser({ email: somebody('acme.example').email })
    const one = { subject: randomUUID(), email }
    const token = await tokenOf(one, 'acme')
    const id = await idOf(token, one)
    expect(await unlink(token, id)).toMatchObject({
      status: 409,
      body: { code: 'LastSignIn', detail: expect.stringContaining('Acme only') },
    })
    const two = { subject: randomUUID(), email }
    await signIn(two, 'acme')
    expect((await unlink(token, id)).status).toBe(200)
  })

  it('are unlinked after a fresh sign-in only', async () => {
    const { one, two, token } = await withTwo()
    await accounts.sql.query(
      `UPDATE session SET created_at = created_at - interval '11 minutes', authenticated_at = authenticated_at - interval '11 minutes'
        WHERE user_id = $1`,
      [await userOf(token)],
    )
    expect(codeOf(await unlink(token, await idOf(token, two)))).toEqual([401, 'StepUpRequired'])
    const fresh = await tokenOf(one)
    expect((await unlink(fresh, await idOf(fresh, two))).status).toBe(200)
  })

  it('are unlinked with a fresh second factor, by who has one', async () => {
    const { two, token } = await withTwo()
    const factors = factorsClient(client)
    const code = authenticatorApp((await client.call('POST', '/users/me/second-factors/totp', { token })).body.secret)
    const { accessToken } = (await factors.confirm(token, code(-1))).body
    const { body } = await unlink(accessToken, await idOf(accessToken, two))
    expect((await factors.list(body.accessToken)).body.factors).toHaveLength(1)
    // The proof is kept: the next act needs no other one.
    expect((await client.call('POST', '/users/me/second-factors/recovery-codes', { token: body.accessToken })).status).toBe(200)
  })

  it('are nobody else’s: an id of another user is unknown, and so is one that was unlinked', async () => {
    const [mine, theirs] = [await withTwo(), await withTwo()]
    const id = await idOf(theirs.token, theirs.one)
    for (const wrong of [id, 'identity-0', randomUUID(), '%27'])
      expect(codeOf(await unlink(mine.token, wrong))).toEqual([404, 'UnknownIdentity'])
    expect(await list(theirs.token)).toHaveLength(2)
    const own = await idOf(mine.token, mine.two)
    const { accessToken } = (await unlink(mine.token, own)).body
    expect(codeOf(await unlink(accessToken, own))).toEqual([404, 'UnknownIdentity'])
    expect((await client.call('POST', `/users/me/identities/${own}/unlink`)).status).toBe(401)
  })

  it('are not both unlinked at the same time', async () => {
    const { one, two, token } = await withTwo()
    const ids = [await idOf(token, one), await idOf(token, two)]
    const statuses = (await Promise.all(ids.map((id) => unlink(token, id)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const { rows } = await accounts.sql.query('SELECT FROM external_identity WHERE id = ANY($1)', [ids])
    expect(rows).toHaveLength(1)
  })

  describe('end while somebody signs in with one', () => {
    it('who has not come back from the provider: the address has to be verified again', async () => {
      const { one, two, token } = await withTwo()
      const finish = await begin({ ...two, email: `${randomUUID()}@elsewhere.example` }, 'open')
      await unlink(token, await idOf(token, two))
      expect(codeOf(await finish())).toEqual([403, 'UserNotVerified'])
      expect((await signIn(one)).status).toBe(200)
    })

    it('who has still to prove a second factor', async () => {
      const { two, token } = await withTwo()
      const factors = factorsClient(client)
      const code = authenticatorApp((await client.call('POST', '/users/me/second-factors/totp', { token })).body.secret)
      const { accessToken } = (await factors.confirm(token, code(-1))).body
      const asked = (await signIn(two)).body
      await accounts.sql.query('DELETE FROM external_identity WHERE id = $1', [await idOf(accessToken, two)])
      expect(codeOf(await factors.answer(asked.challenge, { code: code() }))).toEqual([403, 'IdentityUnlinked'])
    })

    it('at the last moment: whoever is first wins, and no session stays', async () => {
      const { two, token } = await withTwo()
      const [id, user, finish] = [await idOf(token, two), await userOf(token), await begin(two, 'open')]
      const [unlinked, signedIn] = await Promise.all([unlink(token, id), finish()])
      expect(unlinked.status).toBe(200)
      const { rows } = await accounts.sql.query(
        `SELECT s.id FROM session s WHERE s.user_id = $1 AND s.ended_at IS NULL
            AND s.identity_id IS NOT NULL AND NOT EXISTS (SELECT FROM external_identity e WHERE e.id = s.identity_id)`,
        [user],
      )
      expect(rows).toEqual([])
      // The provider decides about the address: it may link the identity again.
      expect([200, 401, 403]).toContain(signedIn.status)
    })
  })

  it('of a provider that decides about the address are linked again at the next sign-in there', async () => {
    const { two, token } = await withTwo()
    const user = await userOf(token)
    await unlink(token, await idOf(token, two))
    expect(await userOf(await tokenOf(two))).toBe(user)
    const subjects = (await accounts.mailed(two.email, 4)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'You can now sign in with your company')).toHaveLength(2)
  })

  it('take the roles with them that their provider granted', async () => {
    const { two, token } = await withTwo()
    await signIn({ ...two, groups: ['admins'] })
    const rolesOf = async (by: string) =>
      (await client.call('GET', '/organizations', { token: by })).body
        .filter(({ id }: { id: string }) => id === organization)
        .map(({ roles }: { roles: string[] }) => roles)
    expect(await rolesOf(token)).toEqual([['admin']])
    const { accessToken } = (await unlink(token, await idOf(token, two))).body
    expect(await rolesOf(accessToken)).toEqual([])
    const { rows } = await accounts.sql.query('SELECT FROM granted_roles WHERE user_id = $1', [await userOf(accessToken)])
    expect(rows).toEqual([])
  })
})
