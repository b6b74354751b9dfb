import type { INestApplicationContext } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { messageOf } from '@trestle/problem/thrown'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Readiness } from '@trestle/runtime/readiness'
import { RuntimeModule } from '@trestle/runtime/runtime.module'
import { Pool } from 'pg'
import { PrismaClient } from '../test/generated/client.js'
import { startProxy, type TestProxy } from '../test/proxy.js'
import { query, startServer, type TestServer, untilRunning } from '../test/server.js'
import { DatabaseModule } from './database.module.js'
import { provision } from './provision.js'

describe(DatabaseModule, () => {
  let server: TestServer
  let proxy: TestProxy
  let app: INestApplicationContext
  let pool: Pool
  let prisma: PrismaClient

  beforeAll(async () => {
    server = await startServer()
    const url = server.urlOf('trestle_notes', 'notes')
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
    await query(url, 'CREATE TABLE note (id serial PRIMARY KEY, text text NOT NULL UNIQUE)')
    proxy = await startProxy(url)
    const imports = [
      RuntimeModule.forRoot(createLogger('test', 'silent')),
      DatabaseModule.forRoot({ url: proxy.url, schema: 'notes', client: PrismaClient }),
    ]
    class AppModule {}
    app = await NestFactory.createApplicationContext({ module: AppModule, imports }, { logger: false })
    pool = app.get(Pool)
    prisma = app.get(PrismaClient)
  })

  afterAll(async () => {
    await app.get(Lifecycle).run('close')
    await app.close()
    proxy.stop()
    await server.stop()
  })

  it('lets Prisma use the connections of the pool', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => prisma.note.create({ data: { text: `note ${n}` } })))
    const held = 'SELECT count(*)::int AS held FROM pg_stat_activity WHERE application_name = $1'
    const [row] = (await query(server.adminUrl, held, ['notes'])) as [{ held: number }]
    expect(row.held).toBe(pool.totalCount)
    expect(row.held).toBeLessThanOrEqual(10)
  })

  it('keeps a connection on which Postgres refused a statement', async () => {
    const backend = () => pool.query('SELECT pg_backend_pid()').then(({ rows }) => rows)
    const before = await backend()
    await expect(pool.query("INSERT INTO note (text) VALUES ('note 1')")).rejects.toMatchObject({ code: '23505' })
    await expect(prisma.note.create({ data: { text: 'note 1' } })).rejects.toMatchObject({ code: 'P2002' })
    expect(await backend()).toEqual(before)
  })

  it('provides only the pool to a service without a Prisma client', async () => {
    const imports = [
      RuntimeModule.forRoot(createLogger('test', 'silent')),
      DatabaseModule.forRoot({ url: server.urlOf('trestle_notes', 'notes'), schema: 'notes' }),
    ]
    class BareModule {}
    const bare = await NestFactory.createApplicationContext({ module: BareModule, imports }, { logger: false })
    expect((await bare.get(Pool).query('SELECT count(*) >= 0 AS works FROM note')).rows).toEqual([{ works: true }])
    await bare.get(Lifecycle).run('close')
    await bare.close()
  })

  it('is ready while Postgres responds', async () => {
    expect(await app.get(Readiness).report()).toEqual({ ready: true, checks: { postgres: 'ok' } })
  })

  it('stays ready without Postgres where the service serves from memory, for as long as it does', async () => {
    const imports = [
      RuntimeModule.forRoot(createLogger('test', 'silent')),
      DatabaseModule.forRoot({ url: server.urlOf('trestle_notes', 'notes'), schema: 'notes', servesWithoutMs: 1_000 }),
    ]
    class CachedModule {}
    const cached = await NestFactory.createApplicationContext({ module: CachedModule, imports }, { logger: false })
    const report = () => cached.get(Readiness).report()
    expect(await report()).toEqual({ ready: true, checks: { postgres: 'ok' } })
    await server.kill()
    expect(await report()).toEqual({ ready: true, checks: { postgres: 'ok' } })
    while ((await report()).ready);
    await server.restart()
    expect(await report()).toEqual({ ready: true, checks: { postgres: 'ok' } })
    await cached.get(Lifecycle).run('close')
    await cached.close()
  })

  it.each([
    ['a query', () => pool.query('SELECT 1')],
    ['Prisma', () => prisma.note.findFirst()],
    ["Prisma's raw SQL", () => prisma.$queryRaw`SELECT 1`],
    ["Prisma's transaction", () => prisma.$transaction(async (tx) => tx.note.count())],
  ])('fails %s while Postgres is gone, and serves the first one after it is back', async (_, ask) => {
    await ask()
    await server.kill()
    expect(await failureOf(ask)).toMatchObject({ code: 'DatabaseUnavailable', status: 503, headers: { 'retry-after': '1' } })
    expect(await app.get(Readiness).report()).toMatchObject({
      ready: false,
      checks: { postgres: 'failed' },
      reasons: { postgres: expect.any(String) },
    })
    await server.restart()
    await ask()
  })

  it.each([
    ['a query', () => pool.query('SELECT pg_sleep(20)')],
    ["Prisma's raw SQL", () => prisma.$queryRaw`SELECT pg_sleep(20)::text`],
    ["Prisma's transaction", () => prisma.$transaction(async (tx) => tx.$queryRaw`SELECT pg_sleep(20)::text`)],
  ])('fails %s during which Postgres dies', async (_, ask) => {
    const failure = failureOf(ask)
    await untilRunning(server.adminUrl, 'SELECT pg_sleep(20)%')
    await server.kill()
    expect(await failure).toMatchObject({ code: 'DatabaseUnavailable' })
    await server.restart()
    await pool.query('SELECT 1')
  })

  it("fails Prisma's transaction whose COMMIT Postgres cuts off", async () => {
    const url = server.urlOf('trestle_notes', 'notes')
    await query(
      url,
      `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql
         AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'`,
    )
    await query(
      url,
      `CREATE CONSTRAINT TRIGGER break_off AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.text = 'the last') EXECUTE FUNCTION break_off()`,
    )
    const write = () => prisma.$transaction(async (tx) => tx.note.create({ data: { text: 'the last' } }))
    expect(await failureOf(write)).toMatchObject({ code: 'DatabaseUnavailable' })
    expect(await query(url, "SELECT FROM note WHERE text = 'the last'")).toEqual([])
  })

  it.each([
    ['a query', () => pool.query('SELECT 1')],
    ['Prisma', () => prisma.note.findFirst()],
    ["Prisma's transaction", () => prisma.$transaction(async (tx) => tx.note.count())],
  ])('fails %s on a silent network, and serves the first one after it', async (_, ask) => {
    proxy.hang()
    expect(await failureOf(ask)).toMatchObject({ code: 'DatabaseUnavailable' })
    proxy.heal()
    await ask()
  })

  it('fails a query that waits too long for a connection', async () => {
    const crowd = Array.from({ length: 11 }, () => failureOf(() => pool.query('SELECT pg_sleep(20)')))
    expect((await Promise.all(crowd)).map((problem) => problem?.code)).toEqual(Array(11).fill('DatabaseUnavailable'))
    await pool.query('SELECT 1')
  })

  it('lets a transaction of Prisma wait for a connection as long as a query', async () => {
    const crowd = Array.from({ length: 10 }, () => failureOf(() => pool.query('SELECT pg_sleep(20)')))
    const [query, transaction] = await Promise.all([
      failureOf(() => pool.query('SELECT 1')),
      failureOf(() => prisma.$transaction(async (tx) => tx.note.count())),
    ])
    expect(transaction).toMatchObject({ code: 'DatabaseUnavailable', cause: { message: messageOf(query?.cause) } })
    await Promise.all(crowd)
  })

  it('does not translate the error of a statement', async () => {
    expect(await failureOf(() => pool.query('SELECT nonsense'))).toBeUndefined()
    expect(await failureOf(() => prisma.note.create({ data: { text: 'note 1' } }))).toBeUndefined()
  })

  /** The Problem that a caller of a service gets. */
  async function failureOf(ask: () => Promise<unknown>) {
    const error = await ask().then(
      () => undefined,
      (reason) => reason,
    )
    expect(error).toBeDefined()
    return app.get(ErrorTranslators).translate(error)
  }
})
