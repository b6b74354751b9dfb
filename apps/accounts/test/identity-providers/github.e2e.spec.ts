import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccountsUnderTest, startTestAccounts } from '../accounts.js'
import { providersFile } from './providers-file.js'

describe('signing in with GitHub', () => {
  const replies: Record<string, unknown> = {}
  const heard: { path: string; body: string; authorization: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    heard.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), authorization: request.headers.authorization })
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(replies[request.url ?? '']))
  })
  let folder: string
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    folder = mkdtempSync(join(tmpdir(), 'trestle-github-'))
    writeFileSync(join(folder, 'secret'), 'the secret')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const github = { id: 'github', title: 'GitHub', preset: 'github', clientId: 'app', clientSecretFile: join(folder, 'secret'), issuer }
    accounts = await startTestAccounts({
      IDENTITY_PROVIDERS_FILE: providersFile(folder, JSON.stringify({ providers: [{ ...github, groups: { 'acme/ops': ['admin'] } }] })),
    })
  })
  afterAll(async () => {
    await accounts.stop()
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true })
  })

  async function signIn() {
    heard.length = 0
    const { body } = await accounts.call('POST', '/identity-providers/github/sign-ins')
    const query = new URL(body.authorizationUrl).searchParams
    const callback = { code: 'c0de', state: query.get('state') }
    return {
      query,
      reply: await accounts.call('POST', '/identity-providers/github/sessions', { body: { attempt: body.attempt, callback } }),
    }
  }
  const emails = (email: string, verified = true) => [{ email, primary: true, verified, visibility: 'private' }]
  beforeEach(() => {
    Object.assign(replies, {
      '/login/oauth/access_token': { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user,user:email' },
      '/api/v3/user': { id: 42, login: 'ada', name: 'Ada' },
      '/api/v3/user/emails?per_page=100': emails('ada@example.org'),
      '/api/v3/user/teams?per_page=100': [{ slug: 'ops', organization: { login: 'acme' } }],
    })
  })

  it('asks its API who it is, and mails the address first, as GitHub decides about no domain', async () => {
    const { query, reply } = await signIn()
    expect([reply.status, reply.body.code]).toEqual([403, 'UserNotVerified'])
    expect([query.get('scope'), query.get('nonce'), query.get('code_challenge_method')]).toEqual([
      'read:user user:email read:org',
      null,
      'S256',
    ])
    const token = heard.find(({ path }) => path === '/login/oauth/access_token')
    expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({
      client_id: 'app',
      client_secret: 'the secret',
      code_verifier: expect.any(String),
    })
    expect(heard.find(({ path }) => path === '/api/v3/user')?.authorization?.toLowerCase()).toBe('bearer gho_1')
    await accounts.call('PUT', `/users/ada@example.org/token/${await accounts.mailedToken('ada@example.org')}`)
    expect((await signIn()).reply.status).toBe(200)
  })

  it('knows the user by the id, also with another login and address', async () => {
    replies['/api/v3/user'] = { id: 42, login: 'countess', name: null }
    replies['/api/v3/user/emails?per_page=100'] = emails('other@example.org', false)
    const { body } = (await signIn()).reply
    expect((await accounts.call('GET', '/users/me', { token: body.accessToken })).body.email).toBe('ada@example.org')
    // Whoever gets the login is somebody else.
    replies['/api/v3/user'] = { id: 43, login: 'ada', name: 'Ada' }
    expect((await signIn()).reply.body.code).toBe('EmailNotVerified')
  })

  it.each<[string, Record<string, unknown>, number, string]>([
    ['an error in a response of 200', { '/login/oauth/access_token': { error: 'bad_verification_code' } }, 502, 'InvalidProviderAnswer'],
    ['no user', { '/api/v3/user': { message: 'Bad credentials' } }, 502, 'InvalidProviderAnswer'],
    ['an id that is no number', { '/api/v3/user': { id: '42', login: 'ada' } }, 502, 'InvalidProviderAnswer'],
    ['no list of addresses', { '/api/v3/user/emails?per_page=100': {} }, 502, 'InvalidProviderAnswer'],
  ])('refuses %s', async (_, lies, status, code) => {
    Object.assign(replies, lies)
    const { reply } = await signIn()
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })
})
