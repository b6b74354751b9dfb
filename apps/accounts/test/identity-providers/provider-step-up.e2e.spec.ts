import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browse, CLIENT, startOpenIdProvider } from '@trestle/testing/openid-provider'
import { type AccountsUnderTest, type HttpReply, startTestAccounts } from '../accounts.js'
import { authenticatorApp, factorsClient } from '../factors.js'
import { startLyingProvider } from './lying-provider.js'
import { providersFile } from './providers-file.js'

const PUBLIC_URL = 'http://127.0.0.1:8080'
const STALE = [403, 'StaleSignIn']

describe('a fresh sign-in at the provider', () => {
  let folder: string
  let honest: Awaited<ReturnType<typeof startOpenIdProvider>>
  let ignoring: Awaited<ReturnType<typeof startOpenIdProvider>>
  let liar: Awaited<ReturnType<typeof startLyingProvider>>
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trestle-providers-'))
    writeFileSync(join(folder, 'secret'), CLIENT.secret)
    const callback = (id: string) => [`${PUBLIC_URL}/session/callback/${id}`]
    honest = await startOpenIdProvider(callback('honest'))
    ignoring = await startOpenIdProvider(callback('ignoring'), { ignoresFreshness: true })
    liar = await startLyingProvider(CLIENT.id)
    const entry = (id: string, { issuer }: { issuer: string }, more = {}) => ({
      ...{ id, title: id, issuer, clientId: CLIENT.id, clientSecretFile: join(folder, 'secret'), domains: [`${id}.example`] },
      ...more,
    })
    const providers = [
      entry('honest', honest),
      entry('ignoring', ignoring),
      entry('liar', liar),
      entry('google', liar, { preset: 'google' }),
    ]
    accounts = await startTestAccounts({ IDENTITY_PROVIDERS_FILE: providersFile(folder, JSON.stringify({ providers })) })
  })
  afterAll(async () => {
    await accounts?.stop()
    for (const provider of [honest, ignoring, liar]) await provider.stop()
    rmSync(folder, { recursive: true })
  })

  type Cookies = Map<string, string>
  const begin = (id: string, token?: string) =>
    accounts.call('POST', `/identity-providers/${id}/${token ? 'step-ups' : 'sign-ins'}`, { token })
  const finish = (id: string, attempt: string, callback: object) =>
    accounts.call('POST', `/identity-providers/${id}/sessions`, { body: { attempt, callback } })
  const codeOf = ({ status, body }: HttpReply) => [status, body.code]

  /** The way to a provider and back, in a browser; with a token a step-up. */
  async function visit(id: 'honest' | 'ignoring', cookies: Cookies, token?: string) {
    const { body } = await begin(id, token)
    return finish(id, body.attempt, await browse(body.authorizationUrl, PUBLIC_URL, cookies))
  }

  async function lie(claims: Record<string, unknown>, token?: string, id = 'liar') {
    liar.lie({ claims })
    const { body } = await begin(id, token)
    return finish(id, body.attempt, liar.authorize(body.authorizationUrl))
  }

  /** Whether the owner of the session counts as freshly signed in. */
  async function isFresh(token: string): Promise<boolean> {
    const body = { email: `${randomUUID()}@elsewhere.example` }
    const { status, body: reply } = await accounts.call('POST', '/users/me/email-changes', { token, body })
    if (status === 401) expect(reply.code).toBe('StepUpRequired')
    return status === 202
  }

  /** So much later, for all sessions. */
  const wait = (minutes: number) =>
    accounts.sql.query(
      `UPDATE session SET created_at = created_at - make_interval(mins => $1), authenticated_at = authenticated_at - make_interval(mins => $1)`,
      [minutes],
    )
  const somebody = (provider: typeof honest, id: string) => {
    const subject = randomUUID()
    provider.person(subject, { email: `${subject}@${id}.example`, email_verified: true })
    return subject
  }
  const seconds = () => Math.floor(Date.now() / 1000)

  describe('at an honest one', () => {
    it('asks the user again, though the provider knows them, and renews the session', async () => {
      somebody(honest, 'honest')
      const cookies: Cookies = new Map()
      const { accessToken: token } = (await visit('honest', cookies)).body
      expect(await isFresh(token)).toBe(true)
      await wait(11)
      expect(await isFresh(token)).toBe(false)
      const before = honest.asked()
      const begun = (await begin('honest', token)).body
      expect(Object.fromEntries(new URL(begun.authorizationUrl).searchParams)).toMatchObject({ prompt: 'login', max_age: '600' })
      const renewed = await finish('honest', begun.attempt, await browse(begun.authorizationUrl, PUBLIC_URL, cookies))
      expect([renewed.status, honest.asked()]).toEqual([200, before + 1])
      for (const valid of [token, renewed.body.accessToken]) expect(await isFresh(valid)).toBe(true)
      const { body: sessions } = await accounts.call('GET', '/users/me/sessions', { token: renewed.body.accessToken })
      expect(sessions).toEqual([expect.objectContaining({ provider: 'honest', current: true })])
      await wait(11)
      expect(await isFresh(renewed.body.accessToken)).toBe(false)
    })

    it('is no sign-in that the provider has not asked for: to sign in again in the same browser is not enough', async () => {
      somebody(honest, 'honest')
      const cookies: Cookies = new Map()
      const first = await visit('honest', cookies)
      const asked = honest.asked()
      await accounts.sql.query(`UPDATE session SET authenticated_at = authenticated_at - interval '11 minutes'`)
      const { accessToken: again } = (await visit('honest', cookies)).body
      expect(honest.asked()).toBe(asked)
      const { rows } = await accounts.sql.query(
        'SELECT created_at > authenticated_at AS older FROM session ORDER BY created_at DESC LIMIT 1',
      )
      expect(rows).toEqual([{ older: true }])
      expect([first.status, typeof again]).toEqual([200, 'string'])
    })

    it('counts for the user of the session only', async () => {
      somebody(honest, 'honest')
      const { accessToken: token } = (await visit('honest', new Map())).body
      const stranger = randomUUID()
      honest.person(stranger, { email: `${stranger}@honest.example`, email_verified: true })
      expect(codeOf(await visit('honest', new Map(), token))).toEqual([403, 'OtherIdentity'])
      // Nobody was made of whom the provider named.
      const { rows } = await accounts.sql.query('SELECT FROM external_identity WHERE subject = $1', [stranger])
      expect(rows).toEqual([])
    })

    it('renews no session that has ended meanwhile, and opens none', async () => {
      const subject = somebody(honest, 'honest')
      const { accessToken: token } = (await visit('honest', new Map())).body
      const { body } = await begin('honest', token)
      const callback = await browse(body.authorizationUrl, PUBLIC_URL)
      await accounts.call('DELETE', '/users/me/sessions', { token })
      expect(codeOf(await finish('honest', body.attempt, callback))).toEqual([400, 'SignInExpired'])
      const { rows } = await accounts.sql.query(
        'SELECT FROM session JOIN external_identity e USING (user_id) WHERE e.subject = $1 AND ended_at IS NULL',
        [subject],
      )
      expect(rows).toEqual([])
    })

    it('is not for who has a second factor: that is the proof, and tokens keep it', async () => {
      somebody(honest, 'honest')
      const { accessToken: token } = (await visit('honest', new Map())).body
      const code = authenticatorApp((await accounts.call('POST', '/users/me/second-factors/totp', { token })).body.secret)
      const pending = (await begin('honest', token)).body
      const { accessToken } = (await factorsClient(accounts).confirm(token, code(-1))).body
      expect(codeOf(await begin('honest', accessToken))).toEqual([401, 'StepUpRequired'])
      // One that was begun before has lost its session.
      const late = await finish('honest', pending.attempt, await browse(pending.authorizationUrl, PUBLIC_URL))
      expect(codeOf(late)).toEqual([400, 'SignInExpired'])
    })

    it('takes a token to begin, and a provider that there is', async () => {
      expect((await accounts.call('POST', '/identity-providers/honest/step-ups')).status).toBe(401)
      somebody(honest, 'honest')
      const { accessToken: token } = (await visit('honest', new Map())).body
      expect(codeOf(await begin('other', token))).toEqual([404, 'UnknownProvider'])
    })
  })

  it('is none at a provider that ignores what it is asked', async () => {
    somebody(ignoring, 'ignoring')
    const cookies: Cookies = new Map()
    const { accessToken: token } = (await visit('ignoring', cookies)).body
    const asked = ignoring.asked()
    expect(await isFresh(token)).toBe(false)
    expect(codeOf(await visit('ignoring', cookies, token))).toEqual(STALE)
    expect([ignoring.asked(), await isFresh(token)]).toEqual([asked, false])
  })

  describe('at one that lies', () => {
    it.each<[string, () => Record<string, unknown>, boolean]>([
      ['a time just now', () => ({ auth_time: seconds() }), true],
      ['a time of some minutes ago', () => ({ auth_time: seconds() - 500 }), true],
      ['a clock that is a little ahead', () => ({ auth_time: seconds() + 10 }), true],
      ['no time', () => ({}), false],
      ['the time 0', () => ({ auth_time: 0 }), false],
      ['an old time', () => ({ auth_time: seconds() - 601 }), false],
      ['a time in the future', () => ({ auth_time: seconds() + 120 }), false],
      ['a time in the far future', () => ({ auth_time: 1e15 }), false],
    ])('with %s', async (_, times, isAccepted) => {
      const claims = { sub: 'mallory', email: 'mallory@liar.example' }
      const { accessToken: token } = (await lie({ ...claims, ...times() })).body
      expect(await isFresh(token)).toBe(isAccepted)
      await wait(11)
      expect(codeOf(await lie({ ...claims, ...times() }, token))).toEqual(isAccepted ? [200, undefined] : STALE)
      expect(await isFresh(token)).toBe(isAccepted)
    })

    it.each([-1, 'now', null])('with the time %j, which is none', async (auth_time) => {
      const claims = { sub: 'mallory', email: 'mallory@liar.example', auth_time }
      expect(codeOf(await lie(claims))).toEqual([502, 'InvalidProviderAnswer'])
    })

    it('is not believed about the time by what is not signed', async () => {
      liar.lie({
        claims: { sub: 'mallory', email: undefined },
        userinfo: { sub: 'mallory', email: 'mallory@liar.example', email_verified: true, auth_time: seconds() },
      })
      const { body } = await begin('liar')
      const { accessToken: token } = (await finish('liar', body.attempt, liar.authorize(body.authorizationUrl))).body
      expect(await isFresh(token)).toBe(false)
    })
  })

  it('is the sign-in itself where the provider has nothing of the kind (Google, GitHub)', async () => {
    const claims = { sub: 'consumer', email: 'consumer@google.example', hd: 'google.example' }
    const { accessToken: token } = (await lie(claims, undefined, 'google')).body
    expect(await isFresh(token)).toBe(true)
    await wait(11)
    expect(await isFresh(token)).toBe(false)
    const { searchParams } = new URL((await begin('google', token)).body.authorizationUrl)
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual([null, null])
    expect((await lie(claims, token, 'google')).status).toBe(200)
    expect(await isFresh(token)).toBe(true)
    // Where it says when, that counts.
    expect(codeOf(await lie({ ...claims, auth_time: seconds() - 3600 }, token, 'google'))).toEqual(STALE)
  })
})
