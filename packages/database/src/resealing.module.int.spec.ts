import { NestFactory } from '@nestjs/core'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { RuntimeModule } from '@trestle/runtime/runtime.module'
import { PlainSealer, Sealer } from '@trestle/runtime/sealing'
import { query, startServer, type TestServer } from '../test/server.js'
import { DatabaseModule } from './database.module.js'
import { provision } from './provision.js'
import { ResealingModule } from './resealing.module.js'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
// More than one batch.
const IDS = Array.from({ length: 1_001 }, (_, n) => Buffer.from(`row-${n}`))

let server: TestServer
let url: string
beforeAll(async () => {
  server = await startServer()
  url = server.urlOf('trestle_notes', 'notes')
  await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
  await query(url, 'CREATE TABLE named (id text PRIMARY KEY, sealed bytea); CREATE TABLE keyed (pubkey bytea PRIMARY KEY, sealed bytea)')
})
afterAll(() => server.stop())

describe(ResealingModule, () => {
  it('seals with the newest key what an older one sealed, and leaves the rest as it is', async () => {
    const before = new Sealer([OLD])
    await insert('named', 'id', (id) => before.seal(`password of ${id}`, id))
    await insert('keyed', 'pubkey', (id) => before.seal(`password of ${id}`, id))
    await query(url, "INSERT INTO named (id) VALUES ('without')")
    await run(new Sealer([NEW]))
    await run(new Sealer([OLD, NEW]))
    const unchanged = await sealed('named', 'id')
    expect(opened(unchanged, before)).toEqual(expected())

    await run(new Sealer([NEW, OLD]))
    const [named, keyed] = [await sealed('named', 'id'), await sealed('keyed', 'pubkey')]
    expect(opened(named, new Sealer([NEW]))).toEqual(expected())
    expect(opened(keyed, new Sealer([NEW]))).toEqual(expected())
    await run(new Sealer([NEW, OLD]))
    expect(await sealed('named', 'id')).toEqual(named)
  })

  it('does so without an id of the key, too', async () => {
    await query(url, 'TRUNCATE named, keyed')
    await insert('named', 'id', (id) => new PlainSealer([OLD]).seal(`password of ${id}`))
    await run(new PlainSealer([NEW, OLD]))
    expect(opened(await sealed('named', 'id'), new PlainSealer([NEW]))).toEqual(expected())
  })
})

/** Starts a service with it and stops it, which waits for the end of the job. */
async function run(sealer: Sealer | PlainSealer): Promise<void> {
  const columns = [
    { table: 'named', id: 'id', column: 'sealed' },
    { table: 'keyed', id: 'pubkey', column: 'sealed' },
  ]
  const imports = [
    RuntimeModule.forRoot(createLogger('test', 'silent')),
    DatabaseModule.forRoot({ url, schema: 'notes' }),
    ResealingModule.forRoot({ sealer, columns }),
  ]
  class AppModule {}
  const app = await NestFactory.createApplicationContext({ module: AppModule, imports }, { logger: false })
  await app.get(Lifecycle).run('drain')
  await app.get(Lifecycle).run('close')
  await app.close()
}

async function insert(table: string, id: string, seal: (id: Buffer) => Buffer): Promise<void> {
  const rows = IDS.map((each) => `(${id === 'id' ? `'${each}'` : `'\\x${each.toString('hex')}'`}, '\\x${seal(each).toString('hex')}')`)
  await query(url, `INSERT INTO ${table} (${id}, sealed) VALUES ${rows.join(', ')}`)
}

async function sealed(table: string, id: string): Promise<Map<string, Buffer>> {
  const rows = await query(url, `SELECT ${id} AS id, sealed FROM ${table} WHERE sealed IS NOT NULL`)
  return new Map((rows as { id: string | Buffer; sealed: Buffer }[]).map((row) => [String(row.id), row.sealed]))
}

function opened(rows: ReadonlyMap<string, Buffer>, sealer: Sealer | PlainSealer): Map<string, string> {
  return new Map([...rows].map(([id, text]) => [id, sealer.open(text, Buffer.from(id))]))
}

function expected(): Map<string, string> {
  return new Map(IDS.map((id) => [String(id), `password of ${id}`]))
}
