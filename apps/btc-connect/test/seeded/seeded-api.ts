import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type CanActivate, type DynamicModule, type ExecutionContext, Injectable, Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { Authenticator } from '@trestle/auth/authenticator'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Caller } from '@trestle/contracts/caller'
import { ALL_PERMISSIONS } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import { bootService } from '@trestle/runtime/boot-service'
import { Clock } from '@trestle/runtime/clock'
import { freshDatabase } from '@trestle/testing/postgres'
import type { FastifyRequest } from 'fastify'
import { Client, Pool } from 'pg'
import { API } from '../../src/app.module.js'
import { databaseModule } from '../../src/database.module.js'
import { withVersion } from '../../src/edge/alias.js'
import { readEnv } from '../../src/env.js'
import { StreamRegistry } from '../../src/push/stream-registry.engine.js'
import { shapeAnswers } from '../../src/service.js'
import { SettingsModule } from '../../src/settings.module.js'
import { FakeNode } from '../fake-node.js'
import { type SeedOptions, seedIndex } from './seed.js'
import type { SeededChain } from './seeded-chain.js'

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/btc-connect/migrations', import.meta.url))

/** Who brings a token is whom it names; tokens can be taken back. */
@Injectable()
class TestAuthenticator {
  readonly revoked = new Set<string>()

  async authenticate({ raw }: Pick<FastifyRequest, 'raw'>): Promise<Caller> {
    const [, token = ''] = /^Bearer (\w+)$/.exec(raw.headers.authorization ?? '') ?? []
    if (!token || this.revoked.has(token)) throw new Problem('unauthenticated', 'InvalidToken', 'The access token is not valid here.')
    return {
      kind: 'client',
      userId: `user-${token}`,
      organizationId: `org-${token}`,
      permissions: new Set(ALL_PERMISSIONS),
      areas: ['btc-connect'],
      expiresAt: 0,
    }
  }

  async recheck(request: Pick<FastifyRequest, 'raw'>): Promise<void> {
    await this.authenticate(request)
  }
}

@Injectable()
class TestGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    request.caller = await this.authenticator.authenticate(request, 'client')
    return true
  }
}

const authentication: DynamicModule = {
  module: class TestAuth {},
  global: true,
  providers: [
    { provide: Authenticator, useClass: TestAuthenticator as never },
    { provide: APP_GUARD, useClass: TestGuard },
  ],
  exports: [Authenticator],
}

/** The reading API on tables of its own, with a node in this process. */
export async function startSeededApi(settings: Record<string, string> = {}, auth: DynamicModule = authentication) {
  const [database, node] = await Promise.all([freshDatabase({ schema: 'btc', migrations: MIGRATIONS }), FakeNode.start()])
  const env = readEnv({
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_URL: 'http://127.0.0.1:8080',
    DATABASE_URL: database.url,
    NATS_URL: 'nats://127.0.0.1:1',
    CHAIN: 'btc',
    NETWORK: 'regtest',
    NODE_URL: node.url,
    ...settings,
  })
  @Module({ imports: [SettingsModule.forRoot(env), databaseModule(env), auth, ...API] })
  class SeededModule {}
  const prepare = async (app: Parameters<typeof shapeAnswers>[0]) => shapeAnswers(app)
  const service = await bootService(SeededModule, { name: 'btc', version: '0', env, endpoints: btcConnect, alias: withVersion, prepare })
  const sql = new Pool({ connectionString: database.url, max: 2 })
  const clock = service.app.get(Clock, { strict: false })
  return {
    ...using(service.url),
    service,
    node,
    sql,
    auth: service.app.get<TestAuthenticator>(Authenticator, { strict: false }),
    /** Runs as the superuser. */
    async admin(text: string) {
      const client = new Client(database.adminUrl)
      await client.connect()
      await client.query(text)
      await client.end()
    },
    /** The streams of events that are open. */
    streams: () => service.app.get(StreamRegistry, { strict: false }).all(),
    seed: (chain: SeededChain, options?: SeedOptions) => seedIndex(sql, chain, options),
    setNow(now: Date) {
      clock.now = () => now
    },
    async stop() {
      await sql.end()
      await service.stop()
      await node.stop()
      await database.drop()
    },
  }
}
export type SeededApi = Awaited<ReturnType<typeof startSeededApi>>

interface SeededReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, parsed; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any
}

interface Given {
  readonly method?: string
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

function using(url: string) {
  async function call(path: string, { method = 'GET', token = 'ada', body, headers = {} }: Given = {}): Promise<SeededReply> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  return {
    url,
    call,
    get: (path: string, headers?: Record<string, string>) => call(`/api/v1${path}`, { headers }),
    post: (path: string, body: unknown) => call(`/api/v1${path}`, { method: 'POST', body }),
  }
}

/** A request whose path nothing between here and the service puts right. */
export async function getRaw(url: string, path: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  const request = get({ hostname, port, path, headers: { authorization: 'Bearer ada' }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode ?? 0, text }
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
