import { Pool } from 'pg'
import { addMigration, migrationFolder } from '../test/migration-folder.js'
import { query, startServer, type TestServer } from '../test/server.js'
import { migrate } from './migrate.js'
import { provision } from './provision.js'
import { SchemaCheck } from './schema-check.js'

describe(SchemaCheck, () => {
  let server: TestServer
  let url: string
  let pool: Pool

  beforeAll(async () => {
    server = await startServer()
    url = server.urlOf('trestle_notes', 'notes')
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
    pool = new Pool({ connectionString: url })
    pool.on('error', () => {})
  })

  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('names the migrations that are pending, until they are applied', async () => {
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);' })
    const schema = new SchemaCheck(pool, folder)
    await expect(schema.check()).rejects.toThrow('Migrations are pending: 1_create. Run the migration job.')
    await migrate({ url, folder, schema: 'notes' })
    await schema.check()
    addMigration(folder, '2_more', 'CREATE TABLE more (id int);')
    await expect(new SchemaCheck(pool, folder).check()).rejects.toThrow('Migrations are pending: 2_more. Run the migration job.')
  })

  it('accepts a schema that a later release has migrated', async () => {
    const folder = migrationFolder({ '1_create': 'CREATE TABLE note (id int);', '9_later': 'CREATE TABLE later (id int);' })
    const own = migrationFolder({ '1_create': 'CREATE TABLE note (id int);' })
    await migrate({ url, folder, schema: 'notes' })
    await new SchemaCheck(pool, own).check()
  })

  it('turns the error of a missing table into 503 until all migrations are applied', async () => {
    const folder = migrationFolder({ '3_newest': 'CREATE TABLE newest (id int);' })
    const schema = new SchemaCheck(pool, folder)
    const error = await query(url, 'SELECT FROM newest').catch((failure: unknown) => failure)
    await expect(schema.check()).rejects.toThrow('3_newest')
    expect(schema.problemOf(error)).toMatchObject({ status: 503, code: 'MigrationsPending' })
    expect(schema.problemOf(new Error('another'))).toBeUndefined()
    await migrate({ url, folder, schema: 'notes' })
    await schema.check()
    expect(schema.problemOf(error)).toBeUndefined()
  })
})
