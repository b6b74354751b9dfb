import { createLogger } from '@trestle/runtime/logger'
import { request } from 'undici'
import { startConsole } from '../src/console.js'
import { startStandInPlatform } from './stand-in-platform.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const TOKEN = `${part({})}.${part({ iat: 1000, exp: 44_200, aud: ['accounts'] })}.sig`
const BEGUN = { authorizationUrl: 'https://id.acme.example/authorize?x=1', attempt: 'attempt-1', expiresAt: 'later' }

describe('signing in with an identity provider', () => {
  let platform: Awaited<ReturnType<typeof startStandInPlatform>>
  let running: Awaited<ReturnType<typeof startConsole>>
  beforeAll(async () => {
    platform = await startStandInPlatform()
    const logger = createLogger('console', 'silent')
    const upstreams = new Map([['accounts', platform.url]])
    const publicUrl = 'https://trestle.example'
    running = await startConsole({ host: '127.0.0.1', port: 0, internalPort: 0, upstreams, files: new Map(), logger, publicUrl })
  })
  afterAll(async () => {
    await running.stop()
    await platform.stop()
  })

  const ask = async (path: string, options: Parameters<typeof request>[1] = {}) => {
    const { statusCode, headers, body } = await request(running.url + path, options)
    return { statusCode, headers, text: await body.text() }
  }
  const OURS = { 'x-trestle-console': '1' }
  const begin = (body: object) => ask('/session/providers', { method: 'POST', headers: OURS, body: JSON.stringify(body) })
  const COOKIE = `__Host-trestle-sign-in=attempt-1.${Buffer.from('/app/nodes').toString('base64url')}`
  const comeBack = (cookie = COOKIE, path = '/session/callback/acme?code=c&state=s&iss=i') => ask(path, { headers: { cookie } })

  it('lists the providers, and no more of them than the page shows', async () => {
    platform.answerWith((response) =>
      response.end(JSON.stringify([{ id: 'acme', title: 'Acme', domains: ['acme.example'], required: true }])),
    )
    const { statusCode, text } = await ask('/session/providers', { headers: OURS })
    expect([statusCode, JSON.parse(text)]).toEqual([200, [{ id: 'acme', title: 'Acme' }]])
  })

  it('leads there, and leaves a cookie that the way back needs', async () => {
    platform.answerWith((response) => response.writeHead(201).end(JSON.stringify(BEGUN)))
    const { statusCode, headers, text } = await begin({ provider: 'acme', to: '/app/nodes' })
    expect([statusCode, JSON.parse(text)]).toEqual([200, { authorizationUrl: BEGUN.authorizationUrl }])
    expect(headers['set-cookie']).toBe(`${COOKIE}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure`)
    expect(platform.heard[0]).toMatchObject({ method: 'POST', path: '/accounts/identity-providers/acme/sign-ins' })
  })

  it('leads who is signed in there once more, with their token', async () => {
    platform.answerWith((response) => response.writeHead(201).end(JSON.stringify(BEGUN)))
    const body = JSON.stringify({ provider: 'acme', to: '/app/settings', again: true })
    const headers = { ...OURS, cookie: `__Host-trestle=${TOKEN}` }
    const { statusCode } = await ask('/session/providers', { method: 'POST', headers, body })
    expect([statusCode, platform.heard[0]]).toEqual([
      200,
      expect.objectContaining({
        path: '/accounts/identity-providers/acme/step-ups',
        headers: expect.objectContaining({ authorization: `Bearer ${TOKEN}` }),
      }),
    ])
  })

  it('begins nothing for a page of another site', async () => {
    platform.answerWith((response) => response.end('{}'))
    for (const method of ['GET', 'POST'] as const) expect((await ask('/session/providers', { method })).statusCode).toBe(403)
    expect(platform.heard).toEqual([])
  })

  it.each([{ provider: '../users' }, { provider: 'acme?' }, {}])('begins nothing for %j', async (body) => {
    platform.answerWith((response) => response.end('{}'))
    expect([(await begin(body)).statusCode, platform.heard]).toEqual([400, []])
  })

  it('never sends the browser to a script', async () => {
    platform.answerWith((response) => response.writeHead(201).end(JSON.stringify({ ...BEGUN, authorizationUrl: 'javascript:alert(1)' })))
    expect((await begin({ provider: 'acme' })).statusCode).toBe(502)
  })

  it('signs in who comes back, and goes on where they wanted to', async () => {
    platform.answerWith((response) => response.end(JSON.stringify({ accessToken: TOKEN })))
    const { statusCode, headers } = await comeBack()
    expect([statusCode, headers.location, headers['cache-control']]).toEqual([303, '/app/nodes', 'no-store'])
    expect(headers['set-cookie']).toEqual([
      `__Host-trestle=${TOKEN}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure`,
      '__Host-trestle-sign-in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ])
    const [heard] = platform.heard
    expect([heard?.path, JSON.parse(heard?.body ?? '')]).toEqual([
      '/accounts/identity-providers/acme/sessions',
      { attempt: 'attempt-1', callback: { code: 'c', state: 's', iss: 'i' } },
    ])
  })

  it.each([
    ['nothing', ''],
    ['another cookie', 'trestle-sign-in=attempt-1.L2FwcA'],
    ['a malformed one', '__Host-trestle-sign-in=x'],
  ])('signs nobody in who has %s of this browser (login CSRF)', async (_, cookie) => {
    platform.answerWith((response) => response.end(JSON.stringify({ accessToken: TOKEN })))
    const { headers } = await comeBack(cookie)
    expect([headers.location, headers['set-cookie'], platform.heard]).toEqual([
      '/app/account/sign-in?problem=SignInExpired&to=%2Fapp',
      undefined,
      [],
    ])
  })

  it('says at the sign-in page why it was refused, and forgets the attempt', async () => {
    const problem = { code: 'EmailNotVerified', detail: 'Verify it.', status: 403 }
    platform.answerWith((response) => response.writeHead(403).end(JSON.stringify(problem)))
    const { headers } = await comeBack()
    expect(headers.location).toBe('/app/account/sign-in?problem=EmailNotVerified&to=%2Fapp%2Fnodes')
    expect(headers['set-cookie']).toBe('__Host-trestle-sign-in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
    platform.answerWith((response) => response.destroy())
    expect((await comeBack()).headers.location).toContain('problem=Unreachable')
  })

  it('asks who has a second factor for it at the sign-in page', async () => {
    const challenge = { challenge: 'c1', methods: ['totp'], expiresAt: '2026-11-23T12:00:00.000Z' }
    const problem = { code: 'SecondFactorRequired', detail: 'A code, please.', status: 403, ...challenge }
    platform.answerWith((response) => response.writeHead(403).end(JSON.stringify(problem)))
    const location = new URL(String((await comeBack()).headers.location), 'http://any')
    expect(location.pathname + location.search).toBe('/app/account/sign-in?to=%2Fapp%2Fnodes')
    expect(JSON.parse(decodeURIComponent(location.hash.replace('#challenge=', '')))).toMatchObject(challenge)
  })

  it.each(['/session/callback/', '/session/callback/A', '/session/callback/acme/x'])('knows no callback at %s', async (path) => {
    expect((await comeBack(COOKIE, path)).statusCode).toBe(404)
  })
})
