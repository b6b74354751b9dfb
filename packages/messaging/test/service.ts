import { fileURLToPath } from 'node:url'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { Global, Module, type Type } from '@nestjs/common'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { domainEvent, request } from '@trestle/contracts/message'
import type { StreamPlan } from '@trestle/contracts/nats/stream-plans'
import { createPool } from '@trestle/database/pool'
import { transaction } from '@trestle/database/transaction'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { RootKey } from '@trestle/runtime/root-key'
import { RuntimeModule } from '@trestle/runtime/runtime.module'
import { type TestNats, testNats } from '@trestle/testing/nats'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import { Pool } from 'pg'
import { z } from 'zod'
import { ensureStream } from '../src/ensure-stream.js'
import { connectMessaging, MessagingModule } from '../src/messaging.module.js'
import { Outbox } from '../src/outbox.js'

export const double = request({ subject: 'shop.number.double', request: z.object({ n: z.int() }), reply: z.object({ n: z.int() }) })

export const itemAdded = domainEvent({ subject: 'shop.item.added', stream: 'SHOP', payload: z.object({ n: z.int() }) })

export const KEPT = { maxAgeMs: 7 * 86_400_000, maxBytes: 2 ** 29 }

/** What accounts would create: with the server here, and again by every replica. */
const STREAMS: readonly StreamPlan[] = [
  {
    ...KEPT,
    name: 'SHOP',
    subjects: [itemAdded.subject],
    consumers: ['counting', 'batching'].map((durable) => ({ name: `shop-${durable}`, subject: itemAdded.subject })),
  },
  {
    ...KEPT,
    name: 'ACTIVITY',
    subjects: ['shop.activity.recorded', 'accounts.activity.recorded'],
    consumers: [{ name: 'accounts-activity', subject: '*.activity.recorded' }],
  },
  {
    ...KEPT,
    name: 'SECURITY',
    subjects: ['shop.security-event.recorded'],
    consumers: [{ name: 'accounts-security', subject: '*.security-event.recorded' }],
  },
  {
    ...KEPT,
    name: 'ACCOUNTS',
    subjects: ['accounts.right.lost'],
    consumers: ['counting', 'batching'].map((durable) => ({ name: `shop-${durable}`, subject: 'accounts.right.lost' })),
  },
]

export interface TestReplica {
  get<T>(type: abstract new (...args: never[]) => T): T
  /** As `bootService` stops one. */
  stop(): Promise<void>
}

/** Of the accounts service of these tests. */
export const ROOT = rootKey(1)
export const OTHER_ROOT = rootKey(2)

interface ReplicaOptions {
  service?: string
  rootKey?: string
  trustRoots?: readonly string[]
  nats: { url: string }
  database?: TestDatabase
  controllers?: Type[]
  /** What accounts would create. */
  streams?: readonly StreamPlan[]
  replicas?: number
  level?: string
}

const started: (() => Promise<void>)[] = []

/** Stops all that a test has started, the last first. For `afterEach`, which also runs after a failure. */
export async function stopAll(): Promise<void> {
  const outcomes: PromiseSettledResult<void>[] = []
  for (const stopOne of started.splice(0).reverse()) outcomes.push(...(await Promise.allSettled([stopOne()])))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

export async function startTestNats(): Promise<TestNats> {
  const nats = await testNats()
  started.push(nats.stop)
  const client = await connect(nats.administrator)
  const manager = await jetstreamManager(client)
  for (const plan of STREAMS) await ensureStream(manager, plan)
  await client.close()
  return nats
}

export async function startDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase({ schema: 'shop', migrations: fileURLToPath(new URL('migrations', import.meta.url)) })
  started.push(database.drop)
  return database
}

/** One replica of a service. */
export async function startReplica({
  service = 'shop',
  nats,
  database,
  controllers = [],
  level = 'silent',
  ...options
}: ReplicaOptions): Promise<TestReplica> {
  const messaging = MessagingModule.forRoot({
    service,
    natsUrl: nats.url,
    streams: STREAMS,
    trustRoots: [ROOT.root],
    ...options,
    ...(database && { schema: 'shop' }),
  })
  const module = await Test.createTestingModule({
    imports: [RuntimeModule.forRoot(createLogger(service, level)), ...(database ? [poolModule(database)] : []), messaging],
    controllers,
  }).compile()
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false })
  let stopping: Promise<void> | undefined
  const stopOnce = () => {
    stopping ??= stop(app, database)
    return stopping
  }
  started.push(stopOnce)
  await connectMessaging(app)
  await app.init()
  return { get: (type) => app.get(type), stop: stopOnce }
}

/** Adds events to the outbox in one transaction. */
export async function addItems(service: TestReplica, numbers: number[]): Promise<void> {
  const outbox = service.get(Outbox)
  await transaction(service.get(Pool), async (client) => {
    for (const n of numbers) await outbox.add(client, itemAdded, { n })
  })
  outbox.wake()
}

/** Collects what happens in a test, and waits for enough of it. */
export class Collector<T> {
  readonly all: T[] = []
  private readonly waiting: { enough: () => boolean; resolve: () => void }[] = []

  readonly add = (item: T): void => {
    this.all.push(item)
    for (const { enough, resolve } of this.waiting) if (enough()) resolve()
  }

  async atLeast(count: number): Promise<T[]> {
    const enough = () => this.all.length >= count
    const { promise, resolve } = Promise.withResolvers<void>()
    this.waiting.push({ enough, resolve })
    if (enough()) resolve()
    await promise
    return this.all
  }
}

export async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

function rootKey(byte: number) {
  const key = Buffer.alloc(32, byte).toString('base64')
  return { key, root: new RootKey(key).root }
}

function poolModule(database: TestDatabase) {
  @Global()
  @Module({ providers: [{ provide: Pool, useFactory: () => createPool({ url: database.url, schema: 'shop' }) }], exports: [Pool] })
  class PoolModule {}
  return PoolModule
}

async function stop(app: NestFastifyApplication, database?: TestDatabase): Promise<void> {
  const lifecycle = app.get(Lifecycle)
  await lifecycle.run('drain')
  await lifecycle.run('flush')
  await app.close()
  await lifecycle.run('close')
  if (database) await app.get(Pool).end()
}
