import { Readable } from 'node:stream'
import { type CanActivate, Controller, type ExecutionContext, Injectable, Module, Req } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import type { Activity } from '@trestle/contracts/activity'
import { endpoint, type Input } from '@trestle/contracts/endpoint'
import { queryInteger } from '@trestle/contracts/fields'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import type { SecurityEvent } from '@trestle/contracts/security-event'
import { Problem } from '@trestle/problem/problem'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ActivitySink } from '../src/activity.js'
import { bootService, type RunningService } from '../src/boot-service.js'
import type { ServiceEnv } from '../src/env.js'
import { AttemptedName, SecurityEventSink } from '../src/security-trail.js'
import { CurrentCaller, ENDPOINT, Parsed, Serves } from '../src/serves.js'
import '../src/request.js'

const Item = z.object({ name: z.string(), size: z.number() }).meta({ id: 'Item' })

export const api = {
  items: {
    list: endpoint({
      method: 'GET',
      path: '/items',
      summary: 'All items.',
      access: 'account',
      query: z.object({ limit: queryInteger(1, 100).optional(), token: z.string().optional(), keep: z.string().optional() }),
      status: 200,
      reply: z.array(Item),
    }),
    one: endpoint({
      method: 'GET',
      path: '/items/{id}',
      summary: 'One.',
      access: 'account',
      params: z.object({ id: z.string() }),
      status: 200,
      reply: Item,
    }),
    create: endpoint({ method: 'POST', path: '/items', summary: 'New.', access: 'account', body: Item, status: 201, reply: Item }),
    remove: endpoint({
      method: 'DELETE',
      path: '/items/{id}',
      summary: 'Away.',
      audit: 'key-deleted',
      access: 'account',
      params: z.object({ id: z.string() }),
      status: 204,
    }),
    part: endpoint({
      method: 'GET',
      path: '/items/{id}/parts/{token}',
      summary: 'Part.',
      access: 'account',
      params: z.object({ id: z.string(), token: z.string() }),
      query: z.object({ token: z.string().optional(), q: z.string().optional() }),
      status: 200,
      reply: Item,
    }),
  },
  tests: {
    echo: endpoint({
      method: 'POST',
      path: '/echo',
      summary: 'Echo.',
      audit: 'token-refused',
      access: 'public',
      body: z.unknown(),
      status: 200,
      reply: z.unknown(),
    }),
    form: endpoint({
      method: 'POST',
      path: '/form',
      summary: 'Form.',
      access: 'public',
      form: true,
      body: z.record(z.string(), z.string()),
      status: 200,
      reply: z.unknown(),
    }),
    either: endpoint({
      method: 'POST',
      path: '/either',
      summary: 'Form or JSON.',
      access: 'public',
      form: 'too',
      body: z.unknown(),
      status: 200,
      reply: z.unknown(),
    }),
    broken: endpoint({ method: 'GET', path: '/broken', summary: 'Fails.', access: 'public', status: 200, reply: Item }),
    conflict: endpoint({ method: 'GET', path: '/conflict', summary: 'Conflicts.', access: 'public', status: 200, reply: Item }),
    slow: endpoint({ method: 'GET', path: '/slow', summary: 'Waits for release().', access: 'account', status: 200, reply: Item }),
    report: endpoint({
      method: 'GET',
      path: '/report',
      summary: 'Large.',
      access: 'account',
      status: 200,
      replyType: 'text/csv',
      query: z.object({ mb: queryInteger(1, 100) }),
    }),
  },
  own: endpoint({ method: 'GET', path: '/base', summary: 'Begins like the base path.', access: 'public', status: 200, reply: Item }),
}

const item = { name: 'one', size: 1 }

/** Lets the requests of `/slow` finish. */
export const gate = { waiting: 0, arrived: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() }

export function closeGate(): void {
  Object.assign(gate, { waiting: 0, arrived: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() })
}

@Controller()
class ItemsController {
  @Serves(api.items.list)
  async list(@Parsed() { query }: Input<typeof api.items.list>) {
    return Array.from({ length: query.limit ?? 1 }, () => item)
  }

  @Serves(api.items.one)
  async one(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof api.items.one>) {
    return { name: `${params.id} of ${caller.userId}`, size: 1 }
  }

  @Serves(api.items.create)
  async create(@Parsed() { body }: Input<typeof api.items.create>) {
    return body
  }

  @Serves(api.items.remove)
  async remove(@Parsed() { params }: Input<typeof api.items.remove>): Promise<void> {
    if (params.id === 'none') throw new Problem('unknown', 'UnknownItem', 'There is no such item.')
  }

  @Serves(api.items.part)
  async part(@Req() request: FastifyRequest) {
    request.serviceData = { part: 1 }
    return item
  }
}

@Controller()
class TestsController {
  @Serves(api.tests.echo)
  async echo(@Parsed() { body }: Input<typeof api.tests.echo>) {
    return { echo: body === undefined ? 'nothing' : body, polluted: ({} as { x?: unknown }).x !== undefined }
  }

  @Serves(api.tests.form)
  async form(@Parsed() { body }: Input<typeof api.tests.form>) {
    return body
  }

  @Serves(api.tests.either)
  async either(@Parsed() { body }: Input<typeof api.tests.either>) {
    return { read: body ?? 'nothing' }
  }

  @Serves(api.tests.broken)
  async broken(): Promise<never> {
    throw new Error('secret insides')
  }

  @Serves(api.tests.conflict)
  async conflict(): Promise<never> {
    throw new Problem('conflict', 'Taken', 'It is taken.', { headers: { 'retry-after': '3' } })
  }

  @Serves(api.tests.slow)
  async slow() {
    gate.waiting += 1
    gate.arrived.resolve()
    await gate.open.promise
    return item
  }

  @Serves(api.tests.report)
  async report(@Parsed() { query }: Input<typeof api.tests.report>) {
    const line = `${'x'.repeat(1023)}\n`
    return Readable.from(
      Array.from({ length: query.mb * 1024 }, () => line),
      { objectMode: false },
    )
  }

  @Serves(api.own)
  async own() {
    return item
  }
}

@Injectable()
class TestGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { access } = Reflect.getMetadata(ENDPOINT, context.getHandler())
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    if (access === 'public') return true
    if (request.headers.authorization !== 'Bearer good')
      throw new Problem('unauthenticated', 'MissingToken', 'No token.', { headers: { 'www-authenticate': 'Bearer' } })
    request.caller = {
      kind: 'account',
      userId: USER,
      sessionId: 'session-1',
      organizationId: personalOrganizationOf(USER),
      permissions: new Set(),
      areas: ['test'],
      expiresAt: 0,
    }
    return true
  }
}

export const USER = 'user-00000000-0000-4000-8000-000000000001'

/** Stores records in memory; fails for the next `failures` records. */
export class MemorySink extends ActivitySink {
  readonly records: { activity: Activity; recording: string }[] = []
  failures = 0
  private arrived = Promise.withResolvers<void>()

  async record(activity: Activity, recording: 'durable' | 'batched'): Promise<void> {
    if (this.failures-- > 0) throw new Error('no store')
    this.records.push({ activity, recording })
    this.arrived.resolve()
  }

  forget(): void {
    this.records.length = 0
    this.failures = 0
    this.arrived = Promise.withResolvers()
  }

  /** The first record since `forget`, once there is one. */
  async first() {
    await this.arrived.promise
    return this.records[0]
  }
}

export const sink = new MemorySink()

/** Stores security events in memory; fails for the next `failures` events. */
class MemorySecuritySink extends SecurityEventSink {
  readonly events: SecurityEvent[] = []
  failures = 0

  async record(event: SecurityEvent): Promise<void> {
    if (this.failures-- > 0) throw new Error('no store')
    this.events.push(event)
  }
}

export const securitySink = new MemorySecuritySink()

@Module({
  controllers: [ItemsController, TestsController],
  providers: [
    { provide: ActivitySink, useValue: sink },
    { provide: SecurityEventSink, useValue: securitySink },
    { provide: AttemptedName, useValue: { of: () => 'hash' } },
    { provide: APP_GUARD, useClass: TestGuard },
  ],
})
export class TestModule {}

export function testEnv(overrides: Partial<ServiceEnv> = {}): ServiceEnv {
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: 0,
    INTERNAL_PORT: 0,
    BASE_PATH: '/base',
    LOG_LEVEL: 'silent',
    STOP_DELAY_MS: 0,
    TRUSTED_PROXIES: ['loopback'],
    TRUST_ROOTS: [],
    API_BUDGET_FACTOR: 1,
    PUBLIC_URL: 'http://127.0.0.1:8080',
    DATABASE_URL: 'postgres://127.0.0.1/none',
    NATS_URL: 'nats://127.0.0.1',
    ...overrides,
  }
}

export function bootTestService(overrides: Partial<ServiceEnv> = {}): Promise<RunningService> {
  return bootService(TestModule, { name: 'test', version: '1.2.3', env: testEnv(overrides), endpoints: api })
}
