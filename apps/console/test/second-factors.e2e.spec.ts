import { createLogger } from '@trestle/runtime/logger'
import { request } from 'undici'
import { startConsole } from '../src/console.js'
import { startStandInPlatform } from './stand-in-platform.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const TOKEN = `${part({})}.${part({ iat: 1000, exp: 44_200, aud: ['accounts'] })}.sig`

describe('second factors at the console', () => {
  let platform: Awaited<ReturnType<typeof startStandInPlatform>>
  let running: Awaited<ReturnType<typeof startConsole>>
  beforeAll(async () => {
    platform = await startStandInPlatform()
    const logger = createLogger('console', 'silent')
    running = await startConsole({
      host: '127.0.0.1',
      port: 0,
      internalPort: 0,
      upstreams: new Map([['accounts', platform.url]]),
      files: new Map(),
      logger,
    })
  })
  afterAll(async () => {
    await running.stop()
    await platform.stop()
  })

  const ask = (path: string, options: Parameters<typeof request>[1] = {}) => request(running.url + path, options)
  const asPage = (path: string, { headers = {}, ...options }: Parameters<typeof request>[1] = {}) =>
    ask(path, { ...options, headers: { 'x-trestle-console': '1', ...headers } })
  const json = (value: unknown) => JSON.stringify(value)
  const post = (path: string, body: unknown, method: 'POST' | 'DELETE' = 'POST') =>
    asPage(path, { method, body: body === undefined ? null : json(body), headers: { cookie: `trestle=${TOKEN}` } })

  it('pass on the challenge with which a sign-in goes on', async () => {
    const challenge = { challenge: 'c1', methods: ['totp'], expiresAt: '2026-01-01T00:00:00.000Z' }
    const refusal = { code: 'SecondFactorRequired', detail: 'A code, please.', ...challenge }
    platform.answerWith((response) => response.writeHead(403, { 'content-type': 'application/problem+json' }).end(json(refusal)))
    const answer = await asPage('/session', { method: 'POST', body: json({ email: 'ada@example.org', password: 'p' }) })
    expect([answer.statusCode, await answer.body.json()]).toEqual([403, expect.objectContaining(refusal)])
  })

  it('answer a challenge, and keep the token from the page', async () => {
    platform.answerWith((response) => response.end(json({ accessToken: TOKEN })))
    const answer = await asPage('/session', { method: 'POST', body: json({ challenge: 'c1', code: '123456' }) })
    expect([answer.statusCode, await answer.body.text()]).toEqual([204, ''])
    expect(answer.headers['set-cookie']).toContain(TOKEN)
    expect(platform.heard).toMatchObject([
      { method: 'POST', path: '/accounts/auth/second-factor', body: json({ challenge: 'c1', code: '123456' }) },
    ])
  })

  it.each([
    ['POST', '/totp/confirm', { code: '123456' }],
    ['DELETE', '/factor-1', undefined],
  ] as const)('keep the token of %s %s from the page, where it is replaced', async (method, path, body) => {
    platform.answerWith((response) => response.end(json({ recoveryCodes: ['a'], accessToken: TOKEN })))
    const answer = await post(`/api/accounts/users/me/second-factors${path}`, body, method)
    expect(await answer.body.json()).toEqual({ recoveryCodes: ['a'] })
    expect(answer.headers['set-cookie']).toContain(TOKEN)
    expect(platform.heard[0]).toMatchObject({ method, path: `/accounts/users/me/second-factors${path}`, body: body ? json(body) : '' })
  })

  it('keep the token that an unlinked identity leaves', async () => {
    platform.answerWith((response) => response.end(json({ accessToken: TOKEN })))
    const path = '/accounts/users/me/identities/identity-1/unlink'
    const answer = await post(`/api${path}`, { password: 'p' })
    expect(await answer.body.json()).toEqual({})
    expect(answer.headers['set-cookie']).toContain(TOKEN)
    expect(platform.heard[0]).toMatchObject({ method: 'POST', path, body: json({ password: 'p' }) })
  })

  it('are not for other sites', async () => {
    const answer = await ask('/api/accounts/users/me/second-factors/factor-1', { method: 'DELETE' })
    expect([answer.statusCode, await answer.body.json()]).toEqual([403, expect.objectContaining({ code: 'ForeignRequest' })])
  })
})
