import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { MailboxMail } from '@trestle/contracts/accounts/mailbox'
import type { ReplyOf, ServiceRequest } from '@trestle/contracts/message'
import type { Problem } from '@trestle/problem/problem'
import type { RunningService } from '@trestle/runtime/boot-service'
import { Clock } from '@trestle/runtime/clock'
import { eventually } from '@trestle/testing/eventually'
import { testNats } from '@trestle/testing/nats'
import { freshDatabase } from '@trestle/testing/postgres'
import { Pool } from 'pg'
import { firstValueFrom } from 'rxjs'
import type { z } from 'zod'
import { readEnv } from '../src/env.js'
import { startAccounts } from '../src/service.js'
import { connectOtherService } from './other-service.js'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/accounts/migrations', import.meta.url))
/** How long is waited for what happens by itself, soon. */
export const SOON_MS = 45_000
export const PASSWORD = 'quiet otters ferry lanterns'
export const BILLING = { country: 'CH', zipCode: '8001', address: 'Bahnhofstrasse 1', state: 'ZH' }

export interface HttpReply {
  status: number
  headers: Headers
  text: string
  /** The body, parsed; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  body: any
}

interface CallOptions {
  token?: string
  basic?: string
  body?: unknown
  /** The address the request comes from, as a proxy tells it. */
  from?: string
  headers?: Record<string, string>
}

export interface TestUser {
  id: string
  email: string
  password: string
  token: string
}

/** The accounts service with a database and a NATS of its own, and hands to use it with. */
export async function startTestAccounts(settings: Record<string, string> = {}) {
  const [database, nats] = await Promise.all([freshDatabase({ schema: 'accounts', migrations: MIGRATIONS }), testNats()])
  const given = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_URL: 'http://127.0.0.1:8080',
    DATABASE_URL: database.url,
    ...nats.env('accounts'),
    MAIL_TRANSPORT: 'mailbox',
    ...settings,
  }
  const service = await startAccounts(readEnv(given))
  await ready(service)
  const sql = new Pool({ connectionString: database.url, max: 2 })
  const clock = service.app.get(Clock, { strict: false })
  const staking = connectOtherService(nats)
  await eventually(() => staking.connection.client, 'staking is connected', SOON_MS)
  return {
    ...accountsClient(service),
    service,
    nats,
    database,
    /** The service's own tables. */
    sql,
    /** What staking has of NATS. */
    staking,
    /** What another service is told, which asks again when it was not answered within its half second. */
    ask<Q extends ServiceRequest>(question: Q, request: z.input<Q['request']>): Promise<ReplyOf<Q>> {
      const again = (problem: Problem) => (problem.code === 'ServiceUnreachable' ? undefined : Promise.reject(problem))
      return eventually(() => firstValueFrom(staking.client.send(question, request)).catch(again), 'the service answers', SOON_MS)
    },
    /** Sets the service's clock this far ahead of the real one; tokens are judged by the real one. */
    setClockAhead(ms: number) {
      clock.now = () => new Date(Date.now() + ms)
    },
    /** The service's clock stands, until it is set, and goes on by so many milliseconds only when told to. */
    stopClock() {
      let moment = Date.now()
      clock.now = () => new Date(moment)
      return (ms: number) => {
        moment += ms
      }
    },
    /** Another replica on the same database and NATS. */
    replica: (more: Record<string, string> = {}) => startAccounts(readEnv({ ...given, ...more })),
    async stop() {
      await sql.end()
      await staking.close()
      await service.stop()
      await nats.stop()
      await database.drop()
    },
  }
}
export type AccountsUnderTest = Awaited<ReturnType<typeof startTestAccounts>>

/** What a client does with a running accounts service. */
export function accountsClient({ url }: Pick<RunningService, 'url'>) {
  async function call(method: string, path: string, { token, basic, body, from, headers }: CallOptions = {}): Promise<HttpReply> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(basic && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(from && { 'x-forwarded-for': from }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  function register(email: string, more: object = {}): Promise<HttpReply> {
    return call('POST', '/users', { body: { email, displayName: 'Ada', password: PASSWORD, billingAddress: BILLING, ...more } })
  }

  async function mails(to: string): Promise<MailboxMail[]> {
    return (await call('GET', `/dev/mailbox?to=${encodeURIComponent(to)}`)).body
  }

  /** The mails to somebody, the newest first, once there are so many. */
  function mailed(to: string, count = 1): Promise<MailboxMail[]> {
    return eventually(
      async () => {
        const found = await mails(to)
        return found.length >= count ? found : undefined
      },
      `${count} mail(s) to ${to}`,
      SOON_MS,
    )
  }

  /** The token in the newest mail to somebody. */
  async function mailedToken(to: string, count = 1): Promise<string> {
    const [newest] = await mailed(to, count)
    return /^ {2}(\S{36,})$/m.exec(newest?.text ?? '')?.[1] ?? ''
  }

  async function signIn(identifier: string, password = PASSWORD): Promise<string> {
    const { status, body, text } = await call('POST', '/auth', { basic: `${identifier}:${password}` })
    if (status !== 200) throw new Error(`signing in was answered with ${status}: ${text}`)
    return body.accessToken
  }

  /** Registers, verifies and signs in somebody. */
  async function createUser({
    email = `${randomUUID()}@example.org`,
    password = PASSWORD,
    ...more
  }: Partial<TestUser> = {}): Promise<TestUser> {
    await register(email, { password, ...more })
    const verified = await call('PUT', `/users/${email}/token/${await mailedToken(email)}`)
    return { id: verified.body.id, email, password, token: await signIn(email, password) }
  }

  /** Settles once a token is refused. */
  async function refused(token: string): Promise<void> {
    await eventually(async () => (await call('GET', '/users/me', { token })).status === 401 || undefined, 'the token is refused', SOON_MS)
  }

  return { url, call, register, mails, mailed, mailedToken, signIn, createUser, refused }
}

function ready({ internalUrl }: RunningService): Promise<true> {
  return eventually(async () => (await fetch(`${internalUrl}/readyz`)).ok || undefined, 'the service is ready', SOON_MS)
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
