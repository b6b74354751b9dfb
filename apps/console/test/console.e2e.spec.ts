import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { createLogger } from '@trestle/runtime/logger'
import { request } from 'undici'
import { startConsole } from '../src/console.js'
import { readFiles } from '../src/files.js'
import { startStandInPlatform } from './stand-in-platform.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const TOKEN = `${part({})}.${part({ iat: 1000, exp: 44_200, aud: ['accounts'] })}.sig`
const OURS = { 'x-trestle-console': '1' }
const SCRIPT = `console.log(${'"trestle"'.repeat(200)})`

describe('the console', () => {
  let platform: Awaited<ReturnType<typeof startStandInPlatform>>
  let running: Awaited<ReturnType<typeof startConsole>>
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'console-'))
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<script nonce="__NONCE__"></script><meta content="__CHAINS__">')
    for (const name of ['overview-account']) writeFileSync(join(folder, `${name}.html`), `${name} of __ROLE__`)
    writeFileSync(join(folder, 'assets/page-abc.js'), SCRIPT)
    platform = await startStandInPlatform()
    const logger = createLogger('console', 'silent')
    const upstreams = new Map(['accounts', 'nodes', 'btc'].map((name) => [name, platform.url]))
    running = await startConsole({ host: '127.0.0.1', port: 0, internalPort: 0, upstreams, files: await readFiles(folder), logger })
  })
  afterAll(async () => {
    await running.stop()
    await platform.stop()
    rmSync(folder, { recursive: true })
  })

  const ask = (path: string, options: Parameters<typeof request>[1] = {}) => request(running.url + path, options)
  const asPage = (path: string, { headers = {}, ...options }: Parameters<typeof request>[1] = {}) =>
    ask(path, { ...options, headers: { ...OURS, ...headers } })

  describe('serves the page', () => {
    it.each(['/', '/app', '/app/nodes/node-1?tab=logs'])('at %s, with a policy and a nonce of its own', async (path) => {
      const [one, two] = await Promise.all([ask(path), ask(path)])
      expect([one.statusCode, one.headers['content-type'], one.headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      const policy = String(one.headers['content-security-policy'])
      const [, nonce] = /script-src 'self' 'nonce-([^']+)'/.exec(policy) ?? []
      expect(await one.body.text()).toContain(`<script nonce="${nonce}"></script>`)
      expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
      expect(policy).not.toContain('unsafe')
      expect(two.headers['content-security-policy']).not.toBe(policy)
      await two.body.dump()
    })

    it.each([
      ['/app', 'overview-account of account'],
      // A form waits for its script.
      ['/app/account/sign-in', '<script'],
      ['/app/keys', '<script'],
    ])('at %s with its first picture, where it has one', async (path, begin) => {
      const { headers, body } = await ask(path, { headers: { cookie: `trestle=${TOKEN}`, 'accept-encoding': 'br' } })
      expect(headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(await body.bytes()).toString()).toMatch(begin)
    })

    it('with the chains of the platform, so that the page need not ask for them', async () => {
      const page = await (await ask('/app/keys')).body.text()
      const [, content = ''] = /<meta content="([^"]*)">/.exec(page) ?? []
      const chains = await (await asPage('/api/chains')).body.json()
      expect(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual(chains)
      expect(chains).toEqual([expect.objectContaining({ name: 'btc', title: 'Bitcoin', unit: 'BTC' })])
    })

    it('but leads to the sign-in who is surely nobody', async () => {
      const from = async (site: string, headers = {}) => {
        const answer = await ask('/app/keys?new=1', { headers: { 'sec-fetch-site': site, ...headers } })
        await answer.body.dump()
        return [answer.statusCode, answer.headers['location']]
      }
      const signIn = [302, '/app/account/sign-in?to=%2Fapp%2Fkeys%3Fnew%3D1']
      expect([await from('none'), await from('same-origin')]).toEqual([signIn, signIn])
      // Somebody who has followed a link, and left the cookie at home.
      expect(await from('cross-site')).toEqual([200, undefined])
      expect(await from('none', { cookie: `trestle=${TOKEN}` })).toEqual([200, undefined])
    })

    it('with its files for ever, compressed as the browser likes, and not again when it has them', async () => {
      const br = await ask('/assets/page-abc.js', { headers: { 'accept-encoding': 'gzip, br' } })
      expect(br.headers).toMatchObject({
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      })
      expect((await br.body.arrayBuffer()).byteLength).toBeLessThan(SCRIPT.length)
      const plain = await ask('/assets/page-abc.js', { headers: { 'accept-encoding': 'br;q=0' } })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(await plain.body.text()).toBe(SCRIPT)
      const again = await ask('/assets/page-abc.js', { headers: { 'if-none-match': String(br.headers.etag) } })
      expect([again.statusCode, await again.body.text()]).toEqual([304, ''])
    })

    it.each([
      ['GET', '/assets/missing.js', 404, 'NotFound'],
      ['GET', '/assets/..%2f..%2fpackage.json', 404, 'NotFound'],
      ['GET', '/index.html', 404, 'NotFound'],
      ['GET', '/overview-account.html', 404, 'NotFound'],
      ['GET', '/favicon.ico', 404, 'NotFound'],
      ['POST', '/app', 405, 'MethodNotAllowed'],
      ['PUT', '/session', 405, 'MethodNotAllowed'],
    ] as const)('and refuses %s %s', async (method, path, status, code) => {
      const { statusCode, body, headers } = await asPage(path, { method })
      expect([statusCode, headers['content-type'], await body.json()]).toEqual([
        status,
        'application/problem+json; charset=utf-8',
        expect.objectContaining({ code }),
      ])
    })
  })

  describe('passes calls on', () => {
    it('with the token of the cookie, and without the cookie', async () => {
      platform.answerWith((response) => {
        response
          .writeHead(201, { 'content-type': 'application/json', link: '<x>; rel="next"', 'set-cookie': 'theirs=1', server: 'x' })
          .end('{"id":1}')
      })
      const { statusCode, headers, body } = await asPage('/api/nodes/users/me/nodes?limit=1', {
        method: 'POST',
        body: '{"image":"ltc"}',
        headers: {
          cookie: `trestle=${TOKEN}`,
          'content-type': 'application/json',
          'idempotency-key': 'k',
          authorization: 'Bearer theirs',
          'x-forwarded-for': '192.0.2.7',
        },
      })
      expect([statusCode, await body.json()]).toEqual([201, { id: 1 }])
      expect(headers).toMatchObject({ link: '<x>; rel="next"', 'cache-control': 'no-store' })
      expect([headers['set-cookie'], headers.server]).toEqual([undefined, undefined])
      const [heard] = platform.heard
      expect(heard).toMatchObject({ method: 'POST', path: '/nodes/users/me/nodes?limit=1', body: '{"image":"ltc"}' })
      expect(heard?.headers).toMatchObject({
        authorization: `Bearer ${TOKEN}`,
        'idempotency-key': 'k',
        'x-forwarded-for': '192.0.2.7, 127.0.0.1',
      })
      expect([heard?.headers.cookie, heard?.headers['x-trestle-console']]).toEqual([undefined, undefined])
    })

    it('without a token where there is none', async () => {
      platform.answerWith((response) => response.writeHead(401).end('{}'))
      expect((await asPage('/api/accounts/users/me')).statusCode).toBe(401)
      expect(platform.heard[0]?.headers.authorization).toBeUndefined()
    })

    it.each([
      ['of a page of another site', '/api/accounts/users/me', {}, 403, 'ForeignRequest'],
      ['to the session, of a page of another site', '/session', {}, 403, 'ForeignRequest'],
      ['to the console itself', '/api/app', OURS, 404, 'NotFound'],
      ['to what is not deployed', '/api/staking/chains', OURS, 404, 'NotDeployed'],
    ] as const)('but none %s', async (_title, path, headers, status, code) => {
      platform.answerWith((response) => response.end('{}'))
      const { statusCode, body } = await ask(path, { headers })
      expect([statusCode, await body.json()]).toEqual([status, expect.objectContaining({ code })])
      expect(platform.heard).toEqual([])
    })

    it('streams an answer as it comes, and lets go of it when the page does', async () => {
      let stream: import('node:http').ServerResponse | undefined
      platform.answerWith((response) => {
        stream = response
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: block\n\n')
      })
      const abort = new AbortController()
      const { body } = await asPage('/api/btc/api/v1/events', { signal: abort.signal })
      const [first] = await once(body, 'data')
      expect(String(first)).toBe('event: block\n\n')
      body.on('error', () => undefined)
      const closed = once(stream ?? body, 'close')
      abort.abort()
      await closed
    })

    it('says so when the platform breaks off before it has answered', async () => {
      platform.answerWith((response) => response.destroy())
      const { statusCode, body } = await asPage('/api/accounts/users/me')
      expect([statusCode, await body.json()]).toEqual([
        502,
        expect.objectContaining({ code: 'Unreachable', requestId: expect.any(String) }),
      ])
    })
  })

  describe('keeps the session', () => {
    const credentials = JSON.stringify({ email: 'ada@example.org', password: 'pässword' })

    it('by signing in with Basic, and giving the token to the cookie alone', async () => {
      platform.answerWith((response) => response.end(JSON.stringify({ accessToken: TOKEN })))
      const { statusCode, headers, body } = await asPage('/session', { method: 'POST', body: credentials })
      expect([statusCode, await body.text()]).toEqual([204, ''])
      expect(headers['set-cookie']).toBe(`trestle=${TOKEN}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict`)
      expect(platform.heard[0]).toMatchObject({ method: 'POST', path: '/accounts/auth' })
      expect(platform.heard[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada@example.org:pässword').toString('base64')}`)
    })

    it('and tells a refusal in the words of the platform', async () => {
      const problem = { code: 'TooManyAttempts', detail: 'Wait a minute.', status: 429 }
      platform.answerWith((response) => response.writeHead(429, { 'retry-after': '60' }).end(JSON.stringify(problem)))
      const { statusCode, headers, body } = await asPage('/session', { method: 'POST', body: credentials })
      expect([statusCode, headers['retry-after'], headers['set-cookie']]).toEqual([429, '60', undefined])
      expect(await body.json()).toMatchObject({ code: 'TooManyAttempts', detail: 'Wait a minute.' })
    })

    it.each(['', '{}', 'nonsense', '{"email":"a"}', '{"email":1,"password":2}'])('and refuses %j as credentials', async (body) => {
      expect((await asPage('/session', { method: 'POST', body })).statusCode).toBe(400)
    })

    it('and says what is wrong with them, without the password', async () => {
      const sent = JSON.stringify({ mail: 'ada@example.org', password: 7 })
      expect(await (await asPage('/session', { method: 'POST', body: sent })).body.json()).toMatchObject({
        code: 'InvalidInput',
        errors: [
          { path: 'body.mail', message: 'unknown member "mail"; did you mean "email"?' },
          { path: 'body.email', message: 'is required; it must be a string of 1 to 320 characters' },
          { path: 'body.password', message: 'must be a string of 1 to 1024 characters; got a number' },
        ],
      })
    })

    it('and no body beyond its bound', async () => {
      expect((await asPage('/session', { method: 'POST', body: 'x'.repeat(20_000) })).statusCode).toBe(413)
    })

    it('through a change of the password', async () => {
      platform.answerWith((response) => response.end(JSON.stringify({ accessToken: TOKEN, updatedAt: 'now' })))
      const change = { oldPassword: 'one', newPassword: 'two' }
      const { headers } = await asPage('/session', { method: 'PATCH', body: JSON.stringify(change), headers: { cookie: 'trestle=old' } })
      expect(headers['set-cookie']).toContain(`trestle=${TOKEN};`)
      expect(platform.heard[0]).toMatchObject({ method: 'PUT', path: '/accounts/users/me/password', body: JSON.stringify(change) })
    })

    it('and ends it where it was begun, and here in any case', async () => {
      platform.answerWith((response, { method }) => {
        response.end(
          method === 'GET'
            ? JSON.stringify([
                { id: 'session-2', current: true },
                { id: 'session-1', current: false },
              ])
            : '',
        )
      })
      const { headers } = await asPage('/session', { method: 'DELETE', headers: { cookie: `trestle=${TOKEN}` } })
      expect(headers['set-cookie']).toContain('trestle=; Max-Age=0;')
      expect(platform.heard.map(({ method, path }) => [method, path])).toEqual([
        ['GET', '/accounts/users/me/sessions'],
        ['DELETE', '/accounts/users/me/sessions/session-2'],
      ])
      platform.answerWith((response) => response.destroy())
      expect((await asPage('/session', { method: 'DELETE' })).headers['set-cookie']).toContain('Max-Age=0')
    })

    it('and tells who is there', async () => {
      const there = await asPage('/session', { headers: { cookie: `trestle=${TOKEN}` } })
      expect(await there.body.json()).toEqual({ signedIn: true, expiresAt: '1970-01-01T12:16:40.000Z', manager: false })
      expect(await (await asPage('/session', { headers: { cookie: 'trestle=x' } })).body.json()).toEqual({ signedIn: false })
    })
  })

  it('answers operators on its internal port', async () => {
    expect(await (await fetch(`${running.internalUrl}/readyz`)).json()).toMatchObject({ ready: true })
    expect(await (await fetch(`${running.internalUrl}/metrics`)).text()).toContain('route="/session"')
  })
})
