import { createLogger } from '@trestle/runtime/logger'
import { request } from 'undici'
import { startConsole } from '../src/console.js'
import { startStandInPlatform } from './stand-in-platform.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const TOKEN = `${part({})}.${part({ iat: 1000, exp: 44_200, aud: ['accounts'] })}.sig`
const CREDENTIALS = JSON.stringify({ email: 'ada@example.org', password: 'x' })
const FILE = {
  type: 'text/html',
  etag: 'e',
  immutable: true,
  bodies: { identity: Buffer.from('x'), br: Buffer.from('x'), gzip: Buffer.from('x') },
}
const FILES = new Map(['/index.html', '/assets/page.js'].map((path) => [path, FILE]))

describe('the console', () => {
  let platform: Awaited<ReturnType<typeof startStandInPlatform>>
  beforeAll(async () => {
    platform = await startStandInPlatform()
    platform.answerWith((response) => response.end(JSON.stringify({ accessToken: TOKEN })))
  })
  afterAll(() => platform.stop())

  describe.each<[string, string | undefined, string]>([
    [
      'https://trestle.example.com',
      'max-age=31536000',
      `__Host-trestle=${TOKEN}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure`,
    ],
    ['http://127.0.0.1:8080', undefined, `trestle=${TOKEN}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict`],
  ])('of %s', (publicUrl, transportSecurity, cookie) => {
    let running: Awaited<ReturnType<typeof startConsole>>
    beforeAll(async () => {
      const upstreams = new Map([['accounts', platform.url]])
      const logger = createLogger('console', 'silent')
      running = await startConsole({ host: '127.0.0.1', port: 0, internalPort: 0, upstreams, files: FILES, logger, publicUrl })
    })
    afterAll(() => running.stop())
    const ask = (path: string, { headers, ...options }: { headers?: object; method?: 'POST'; body?: string } = {}) =>
      request(running.url + path, { ...options, headers: { 'x-trestle-console': '1', ...headers } })

    it.each([{}, { 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'https' }])(
      'keeps the session in the cookie that fits, whatever a proxy reports: %j',
      async (headers) => {
        const answer = await ask('/session', { method: 'POST', body: CREDENTIALS, headers })
        expect(answer.headers['set-cookie']).toBe(cookie)
      },
    )

    it.each(['/app/account/sign-in', '/assets/page.js', '/session', '/api/accounts/x', '/missing'])(
      'says at %s whether to stay with HTTPS',
      async (path) => {
        const { headers, body } = await ask(path)
        await body.dump()
        expect(headers['strict-transport-security']).toBe(transportSecurity)
      },
    )
  })

  it('does not read a cookie without the prefix where it sets one with it: a subdomain may have set it', async () => {
    const logger = createLogger('console', 'silent')
    const options = { host: '127.0.0.1', port: 0, internalPort: 0, upstreams: new Map(), files: FILES, logger }
    const running = await startConsole({ ...options, publicUrl: 'https://trestle.example.com' })
    const { body } = await request(`${running.url}/session`, { headers: { 'x-trestle-console': '1', cookie: `trestle=${TOKEN}` } })
    expect(await body.json()).toEqual({ signedIn: false })
    await running.stop()
  })
})
