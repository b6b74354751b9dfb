import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { startFromSource } from '../test/from-source.js'
import { addMigration, migrationFolder } from '../test/migration-folder.js'
import { query, startServer, type TestServer, untilRunning } from '../test/server.js'
import { migrate } from './migrate.js'
import { provision } from './provision.js'

describe(migrate, () => {
  let server: TestServer
  let url: string
  let databases = 0

  beforeAll(async () => {
    server = await startServer()
  })

  beforeEach(async () => {
    url = server.urlOf('trestle_notes', `notes_${++databases}`)
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
  })

  afterAll(() => server.stop())

  it('applies what is new, oldest first, as the service role', async () => {
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);', '2_fill': 'INSERT INTO note VALUES (1);' })
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual(['1_create', '2_fill'])
    addMigration(folder, '3_more', 'INSERT INTO note VALUES (2);')
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual(['3_more'])
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual([])
    expect(await query(url, 'SELECT id FROM notes.note')).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('rolls back a file that fails, and names the line', async () => {
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);' })
    await migrate({ url, folder, schema: 'notes' })
    addMigration(folder, '2_break', '-- Two.\nALTER TABLE note ADD COLUMN two int;\n\nALTER TABLE note\n  ADD COLUMN id int;')
    const message = '2_break/migration.sql, line 4: column "id" of relation "note" already exists'
    await expect(migrate({ url, folder, schema: 'notes' })).rejects.toThrow(message)
    expect(await query(url, 'SELECT * FROM note')).toEqual([])
    await expect(query(url, 'SELECT two FROM note')).rejects.toMatchObject({ code: '42703' })
    addMigration(folder, '2_break', 'ALTER TABLE note ADD COLUMN two int;')
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual(['2_break'])
  })

  it('names the line within a statement where Postgres gives it', async () => {
    const folder = migrationFolder({ '1_typo': 'SELECT 1;\nSELECT 2,\n  3 FORM nowhere;' })
    await expect(migrate({ url, folder, schema: 'notes' })).rejects.toThrow(
      '1_typo/migration.sql, line 3: syntax error at or near "nowhere"',
    )
  })

  it('refuses to continue when an applied file was changed', async () => {
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);' })
    await migrate({ url, folder, schema: 'notes' })
    addMigration(folder, '1_create', 'CREATE TABLE note (id bigint);')
    addMigration(folder, '2_more', 'CREATE TABLE more ();')
    await expect(migrate({ url, folder, schema: 'notes' })).rejects.toThrow('1_create/migration.sql was changed after it had been applied')
    await expect(query(url, 'SELECT FROM more')).rejects.toMatchObject({ code: '42P01' })
  })

  it('refuses a database that was not provisioned', async () => {
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);' })
    await expect(migrate({ url, folder, schema: 'other' })).rejects.toThrow(
      'There is no schema "other" in the database: provision it first.',
    )
  })

  it('applies each file once when several run at the same time', async () => {
    const scripts = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`${n}_create`, `CREATE TABLE note${n} (id int);`]))
    const folder = migrationFolder(scripts)
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate({ url, folder, schema: 'notes' })))
    expect(runs.flat().sort()).toEqual(Object.keys(scripts))
  })

  it('does not wait for an advisory lock that another role holds', async () => {
    const other = server.urlOf('trestle_other', new URL(url).pathname.slice(1))
    await provision({ adminUrl: server.adminUrl, url: other, schema: 'other' })
    const holder = new Client({ connectionString: other })
    await holder.connect()
    // Those of Prisma's engine and of earlier releases.
    await holder.query('SELECT pg_advisory_lock(72707369), pg_advisory_lock(72707370)')
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);' })
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual(['1_create'])
    await expect(holder.query('BEGIN; LOCK TABLE notes._prisma_migrations')).rejects.toMatchObject({ code: '42501' })
    await holder.end()
  })

  it('does not hold up readers while it waits for a long transaction', async () => {
    const scripts = { '1_create': 'CREATE TABLE note (id int);', '2_alter': 'ALTER TABLE note ADD COLUMN text text;' }
    const folder = migrationFolder({ '1_create': scripts['1_create'] })
    await migrate({ url, folder, schema: 'notes' })
    const reader = new Client({ connectionString: url })
    await reader.connect()
    await reader.query('BEGIN; SELECT FROM note')
    const migrating = migrate({ url, folder: migrationFolder(scripts), schema: 'notes' })
    await untilRunning(server.adminUrl, 'ALTER TABLE note%')
    // This one waits behind the statement, which gives up while the long transaction still runs.
    expect(await query(url, 'SELECT FROM note')).toEqual([])
    await reader.query('COMMIT')
    await reader.end()
    expect(await migrating).toEqual(['2_alter'])
  })

  it('leaves nothing half applied when it is killed, and finishes when run again', async () => {
    const slow = 'CREATE TABLE half (id int);\nSELECT pg_advisory_xact_lock(1); -- slow\nINSERT INTO half VALUES (1);'
    const gate = new Client({ connectionString: url })
    await gate.connect()
    await gate.query('SELECT pg_advisory_lock(1)')
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);', '2_slow': slow })
    const runner = startFromSource('migrate-folder.ts', [url, folder, 'notes'], {})
    await untilRunning(server.adminUrl, 'SELECT pg_advisory_xact_lock(1)%')
    runner.kill('SIGKILL')
    await once(runner, 'exit')
    await expect(query(url, 'SELECT FROM half')).rejects.toMatchObject({ code: '42P01' })
    expect(await query(url, 'SELECT migration_name FROM _prisma_migrations')).toEqual([{ migration_name: '1_create' }])
    await gate.end()
    // Waits until the server has noticed and rolled back.
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual(['2_slow'])
    expect(await query(url, 'SELECT id FROM half')).toEqual([{ id: 1 }])
  })

  it('shares its history with the Prisma CLI', async () => {
    const folder = fileURLToPath(new URL('../test/prisma/migrations', import.meta.url))
    expect(await prisma('migrate', 'status')).toMatchObject({ code: 1, stdout: expect.stringContaining('have not yet been applied') })
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual(['20260101000000_create_notes'])
    expect(await prisma('migrate', 'status')).toMatchObject({ code: 0, stdout: expect.stringContaining('Database schema is up to date!') })
    expect(await prisma('migrate', 'deploy')).toMatchObject({ code: 0, stdout: expect.stringContaining('No pending migrations to apply.') })
    // It replays the migrations in a database of its own, and compares.
    await query(server.adminUrl, 'ALTER ROLE trestle_notes CREATEDB')
    expect(await prisma('migrate', 'dev')).toMatchObject({ code: 0, stdout: expect.stringContaining('Already in sync') })
    await query(url, 'DROP TABLE _prisma_migrations, note')
    expect(await prisma('migrate', 'deploy')).toMatchObject({ code: 0 })
    expect(await migrate({ url, folder, schema: 'notes' })).toEqual([])
  })

  /** Runs Prisma's own command line as the service role. */
  async function prisma(...args: string[]): Promise<{ code: number; stdout: string }> {
    const cli = fileURLToPath(new URL('../node_modules/.bin/prisma', import.meta.url))
    const config = fileURLToPath(new URL('../test/prisma/prisma.config.ts', import.meta.url))
    const env = { ...process.env, DATABASE_URL: `${url}?schema=notes`, CHECKPOINT_DISABLE: '1' }
    return promisify(execFile)(cli, [...args, '--config', config], { env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    )
  }
})
