import { randomUUID } from 'node:crypto'
import { eventually } from '@trestle/testing/eventually'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { Pool } from 'undici'
import { tokensMailedTo } from './mailbox.js'
import { startTestPlatform, type TestPlatform } from './platform.js'

// Two replicas of accounts on one database, behind one ingress.

const PASSWORD = 'two of a kind, one of them wins'

describe('two replicas of accounts', () => {
  let platform: TestPlatform
  let second: { url: string; stop(signal?: NodeJS.Signals): Promise<void> }
  let ingress: { url: string; stop(signal?: NodeJS.Signals): Promise<void> }
  let urls: [string, string]

  beforeAll(async () => {
    platform = await startTestPlatform()
    second = await platform.startReplica('accounts')
    urls = [platform.info.services.accounts?.url ?? '', second.url]
    ingress = await platform.startReplica('ingress', { ACCOUNTS_URL: urls.join(',') })
  })
  afterAll(async () => {
    await ingress.stop()
    await second.stop()
    await platform.stop()
  })

  it('create one user from a hundred sign-ups with one address', async () => {
    const email = `race-${randomUUID()}@example.org`
    const answers = await both(50, (url) => send(url, 'POST', '/users', { body: registration(email) }))
    // More passwords at once than are hashed or waited for are refused before anything happens.
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 503)).toEqual([])
    // Of all that were mailed, the first that is used counts.
    const tried = new Set<string>()
    const untried = async () => (await tokensMailedTo(email, platform.info.mailbox)).find((token) => !tried.has(token))
    await eventually(async () => {
      const token = await untried()
      if (!token) return undefined
      tried.add(token)
      return (await verify(email, token)).status === 200 || undefined
    }, 'one token verifies')
    const { accessToken } = await signIn(email)
    expect((await send(urls[0], 'GET', '/users/me', { token: accessToken })).status).toBe(200)
  })

  it('let one of a hundred uses of a verification token win', async () => {
    const email = `race-${randomUUID()}@example.org`
    await send(urls[0], 'POST', '/users', { body: registration(email) })
    const token = await platform.verificationToken(email)
    const answers = await both(50, (url) => retryWhileBusy(() => verify(email, token, url)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // The others are told that it is used, or that they try too often.
    expect(statuses.filter((status) => status === 409 || status === 429)).toHaveLength(99)
  })

  it('refresh one token fifty times at once without a false alarm', async () => {
    const { refreshToken } = await client()
    const body = { grantType: 'refreshToken', refreshToken }
    const answers = await both(25, (url) => retryWhileBusy(() => send(url, 'POST', '/auth/token', { body })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('end a session on both within two seconds', async () => {
    const { accessToken } = await signIn(await signUp())
    expect((await send(urls[1], 'GET', '/users/me', { token: accessToken })).status).toBe(200)
    await send(urls[0], 'DELETE', '/users/me/sessions', { token: accessToken })
    await eventually(
      async () => ((await send(urls[1], 'GET', '/users/me', { token: accessToken })).status === 401 ? true : undefined),
      'the other replica refuses the token',
      2000,
    )
  })

  it('lose no request when one is stopped under load', async () => {
    const { accessToken } = await signIn(await signUp())
    const pool = new Pool(ingress.url, { connections: 16 })
    const statuses: number[] = []
    let stopping = true
    const load = Array.from({ length: 16 }, async () => {
      while (stopping) {
        const answer = await pool.request({
          path: '/accounts/users/me',
          method: 'GET',
          headers: { authorization: `Bearer ${accessToken}` },
        })
        await answer.body.dump()
        statuses.push(answer.statusCode)
      }
    })
    await eventually(async () => (statuses.length > 200 ? true : undefined), 'both are called')
    await second.stop('SIGTERM')
    const served = statuses.length
    await eventually(async () => (statuses.length > served + 200 ? true : undefined), 'the other one is called')
    stopping = false
    await Promise.all(load)
    await pool.close()
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  function both<T>(each: number, ask: (url: string) => Promise<T>): Promise<T[]> {
    return Promise.all(Array.from({ length: each }, () => urls.map(ask)).flat())
  }

  async function client(): Promise<{ accessToken: string; refreshToken: string }> {
    const { accessToken } = await signIn(await signUp())
    const key = (await (await send(urls[0], 'POST', '/users/me/client-keys', { token: accessToken })).json()) as Record<string, string>
    const body = { grantType: 'clientCredentials', clientId: key.clientId, clientSecret: key.clientSecret }
    return (await (await send(urls[0], 'POST', '/auth/token', { body })).json()) as { accessToken: string; refreshToken: string }
  }

  async function signUp(): Promise<string> {
    const email = `user-${randomUUID()}@example.org`
    await send(urls[0], 'POST', '/users', { body: registration(email) })
    expect((await verify(email, await platform.verificationToken(email))).status).toBe(200)
    return email
  }

  function verify(email: string, token: string, url = urls[0]) {
    return send(url, 'PUT', `/users/${email}/token/${token}`, {})
  }

  async function signIn(email: string): Promise<{ accessToken: string }> {
    // Where more passwords are hashed than are waited for, it is asked again, as a client does.
    return eventually(async () => {
      const answer = await send(urls[0], 'POST', '/auth', { basic: `${email}:${PASSWORD}` })
      expect([200, 503]).toContain(answer.status)
      return answer.status === 200 ? ((await answer.json()) as { accessToken: string }) : undefined
    }, `${email} is let in`)
  }
})

function registration(email: string) {
  const billingAddress = { country: 'CH', zipCode: '8000', address: 'Bahnhofstrasse 1', state: 'ZH' }
  return { email, displayName: 'Racer', password: PASSWORD, billingAddress }
}

function send(url: string, method: string, path: string, { token, basic, body }: { token?: string; basic?: string; body?: unknown }) {
  return fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(basic && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}
