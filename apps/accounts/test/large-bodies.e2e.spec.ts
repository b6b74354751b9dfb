import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AccountsUnderTest, BILLING, PASSWORD, startTestAccounts } from './accounts.js'

const BODY_BYTES = 2 * 1024 * 1024

describe('a body over 16 KiB', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  it.each([
    ['/users', { email: 'ada@example.org', displayName: 'x'.repeat(17_000), password: PASSWORD, billingAddress: BILLING }],
    ['/auth/token', { grantType: 'clientCredentials', clientId: 'x', clientSecret: 'x'.repeat(17_000) }],
  ])('is refused at %s with a problem', async (path, body) => {
    const { status, headers, body: problem } = await accounts.call('POST', path, { body })
    expect([status, problem.code, headers.get('content-type')]).toEqual([413, 'BodyTooLarge', 'application/problem+json; charset=utf-8'])
  })

  it('is refused at the OAuth endpoints as OAuth clients expect', async () => {
    const response = await fetch(`${accounts.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'x'.repeat(17_000) }),
    })
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'BodyTooLarge', error: 'invalid_request', error_description: expect.any(String) }),
    ])
  })

  it.each(['keep-alive', 'close'])(
    'is refused while the client still sends it, on a connection that it wants to %s',
    async (connection) => {
      const { hostname, port } = new URL(accounts.url)
      for (const gapMs of [0, 5]) {
        const socket = connect(Number(port), hostname)
        await once(socket, 'connect')
        let [heard, failure] = ['', '']
        socket.on('data', (bytes) => {
          heard += bytes.toString()
        })
        socket.on('error', ({ message }) => {
          failure = message
        })
        const head = ['POST /users HTTP/1.1', 'Host: d', 'Content-Type: application/json', `Content-Length: ${BODY_BYTES}`]
        socket.write(`${[...head, `Connection: ${connection}`].join('\r\n')}\r\n\r\n`)
        for (let sent = 0; sent < BODY_BYTES && !heard.includes('requestId'); sent += 16_384) {
          socket.write(Buffer.alloc(16_384, ' '))
          if (gapMs > 0 || sent % 262_144 === 0) await sleep(gapMs)
        }
        for (let waited = 0; waited < 100 && !heard.includes('requestId'); waited++) await sleep(20)
        socket.destroy()
        expect([heard.slice(0, 12), failure]).toEqual(['HTTP/1.1 413', ''])
        expect(heard).toContain('"code":"BodyTooLarge"')
      }
    },
  )
})
