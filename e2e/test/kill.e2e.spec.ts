import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@trestle/testing/eventually'
import pg from 'pg'
import { startTestPlatform, type TestPlatform } from './platform.js'

// kill -9 of accounts, nats-server and Postgres at random moments while clients register, create keys and delete them. Every acknowledged answer
// goes into a ledger, which is compared with the platform afterwards. ROUNDS=50 for the long run.

const ROUNDS = Number(process.env.ROUNDS ?? 12)
const VICTIMS = ['accounts', 'nats', 'postgres'] as const
const PASSWORD = 'nothing acknowledged is lost'

interface Key {
  readonly clientId: string
  readonly refreshToken: string
}

interface Ledger {
  readonly registered: string[]
  readonly made: (Key & { readonly requestId: string; readonly email: string })[]
  readonly deleted: Key[]
  /** Keys whose deletion was requested: without an answer they may exist or not. */
  readonly doomed: Set<string>
  /** Unexpected answers other than 503: there must be none. */
  readonly wrong: string[]
}

describe('killing accounts, NATS and Postgres under load', () => {
  let platform: TestPlatform
  let db: pg.Pool
  const ledger: Ledger = { registered: [], made: [], deleted: [], doomed: new Set(), wrong: [] }

  beforeAll(async () => {
    platform = await startTestPlatform()
    db = new pg.Pool({ connectionString: platform.info.postgres, max: 2 })
    db.on('error', () => {})
    let working = true
    const workers = [1, 2, 3, 4].map(() => work(() => working))
    for (let round = 0; round < ROUNDS; round++) {
      await pause(randomInt(100, 1200))
      const victim = VICTIMS[randomInt(VICTIMS.length)] ?? 'accounts'
      platform.kill(victim, 'SIGKILL')
      await platform.restart(victim)
      const before = ledger.made.length
      await eventually(async () => ledger.made.length > before || undefined, 'a key is acknowledged', 60_000)
    }
    working = false
    await Promise.all(workers)
  }, 600_000)

  afterAll(async () => {
    await db.end()
    await platform.stop()
  })

  it('acknowledges some work in between', () => {
    expect(ledger.registered.length).toBeGreaterThan(0)
    expect(ledger.made.length).toBeGreaterThanOrEqual(ROUNDS)
    expect(ledger.deleted.length).toBeGreaterThan(0)
  })

  it('answers as requested or with 503, never anything else', () => {
    expect(ledger.wrong).toEqual([])
  })

  it('keeps every acknowledged registration, once', async () => {
    const { rows } = await db.query<{ email: string; count: string }>('SELECT email, count(*) FROM accounts."user" GROUP BY email')
    const counts = new Map(rows.map(({ email, count }) => [email, Number(count)]))
    expect(ledger.registered.filter((email) => counts.get(email) !== 1)).toEqual([])
  })

  it('keeps every acknowledged key that was not deleted', async () => {
    const kept = ledger.made.filter(({ clientId }) => !ledger.doomed.has(clientId))
    const { rows } = await db.query<{ id: string }>('SELECT id FROM accounts.client_key WHERE deleted_at IS NULL')
    const alive = new Set(rows.map(({ id }) => id))
    expect(kept.filter(({ clientId }) => !alive.has(clientId))).toEqual([])
    const refreshed = await Promise.all(kept.slice(-20).map(({ refreshToken }) => refresh(refreshToken)))
    expect(refreshed.filter((status) => status !== 200)).toEqual([])
  })

  it('keeps every acknowledged deletion', async () => {
    const statuses = await Promise.all(ledger.deleted.map(({ refreshToken }) => refresh(refreshToken)))
    expect(statuses.filter((status) => status !== 401)).toEqual([])
    const { rows } = await db.query<{ id: string }>("SELECT id FROM accounts.revocation WHERE kind = 'client'")
    const revoked = new Set(rows.map(({ id }) => id))
    expect(ledger.deleted.filter(({ clientId }) => !revoked.has(clientId))).toEqual([])
  })

  it('sends the mail of every acknowledged registration, once', async () => {
    const waiting = async () => (await db.query("SELECT 1 FROM accounts.mail WHERE state = 'queued'")).rowCount
    await eventually(async () => ((await waiting()) === 0 ? true : undefined), 'all mails are sent', 90_000)
    const { rows } = await db.query<{ recipient: string; count: string }>(
      "SELECT recipient, count(*) FROM accounts.mail WHERE state = 'sent' AND subject LIKE 'Verify%' GROUP BY recipient",
    )
    const counts = new Map(rows.map(({ recipient, count }) => [recipient, Number(count)]))
    expect(ledger.registered.filter((email) => counts.get(email) !== 1)).toEqual([])
  })

  it('keeps the event of every acknowledged key, once', async () => {
    const wanted = ledger.made.map(({ requestId }) => requestId)
    const count = async () => {
      const { rows } = await db.query<{ request: string; count: string }>(
        "SELECT service_data->>'requestId' AS request, count(*) FROM accounts.event WHERE service_data->>'requestId' = ANY($1) GROUP BY 1",
        [wanted],
      )
      return new Map(rows.map((row) => [row.request, Number(row.count)]))
    }
    const counts = await eventually(
      async () => {
        const now = await count()
        return now.size === wanted.length ? now : undefined
      },
      'all records are there',
      60_000,
    )
    expect(wanted.filter((requestId) => counts.get(requestId) !== 1)).toEqual([])
  })

  it('keeps every acknowledged key in the security log, once', async () => {
    const wanted = ledger.made.map(({ requestId }) => requestId)
    const counts = await eventually(
      async () => {
        const { rows } = await db.query<{ request: string; count: string }>(
          'SELECT request_id AS request, count(*) FROM accounts.security_event WHERE request_id = ANY($1) GROUP BY 1',
          [wanted],
        )
        return rows.length === wanted.length ? new Map(rows.map((row) => [row.request, Number(row.count)])) : undefined
      },
      'all security events are there',
      60_000,
    )
    expect(wanted.filter((requestId) => counts.get(requestId) !== 1)).toEqual([])
  })

  /** One client: a new user each time, verified, signed in; some keys, of which it deletes one. It continues after failures. */
  async function work(working: () => boolean): Promise<void> {
    while (working()) {
      try {
        await live()
      } catch {
        await pause(50) // Not acknowledged: it may have taken effect or not.
      }
    }
  }

  async function live(): Promise<void> {
    const email = `worker-${randomUUID()}@example.org`
    const billingAddress = { country: 'CH', zipCode: '8000', address: 'Bahnhofstrasse 1', state: 'ZH' }
    await call('POST', '/users', { body: { email, displayName: 'Worker', password: PASSWORD, billingAddress } }, 201)
    ledger.registered.push(email)
    const token = await platform.verificationToken(email)
    await call('PUT', `/users/${email}/token/${token}`, {}, 200)
    const authorization = `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`
    const { accessToken } = await call<{ accessToken: string }>('POST', '/auth', { authorization }, 200)
    for (let made = 0; made < 3; made++) {
      const requestId = randomUUID()
      const bearer = { authorization: `Bearer ${accessToken}`, requestId }
      const { clientId, clientSecret } = await call<{ clientId: string; clientSecret: string }>(
        'POST',
        '/users/me/client-keys',
        bearer,
        200,
      )
      const body = { grantType: 'clientCredentials', clientId, clientSecret }
      const { refreshToken } = await call<{ refreshToken: string }>('POST', '/auth/token', { body }, 200)
      ledger.made.push({ clientId, refreshToken, requestId, email })
      if (made > 0) continue
      ledger.doomed.add(clientId)
      await call('DELETE', `/users/me/client-keys/${clientId}`, { authorization: `Bearer ${accessToken}` }, 204)
      ledger.deleted.push({ clientId, refreshToken })
    }
  }

  async function call<T>(
    method: string,
    path: string,
    { body, authorization, requestId }: { body?: unknown; authorization?: string; requestId?: string },
    status: number,
  ): Promise<T> {
    const answer = await fetch(`${platform.info.services.accounts?.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
        ...(requestId && { 'x-request-id': requestId }),
        // A network for each: this is not a test of throttling.
        'x-forwarded-for': `11.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.status !== status && answer.status !== 503) ledger.wrong.push(`${method} ${path}: ${answer.status}`)
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status}`)
    return (status === 204 ? undefined : await answer.json()) as T
  }

  async function refresh(refreshToken: string): Promise<number> {
    const answer = await fetch(`${platform.info.services.accounts?.url}/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grantType: 'refreshToken', refreshToken }),
    })
    await answer.body?.cancel()
    return answer.status
  }
})
