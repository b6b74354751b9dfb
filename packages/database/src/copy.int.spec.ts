import type { Client, Pool } from 'pg'
import { query, startServer, type TestServer } from '../test/server.js'
import { arrayParameter, BinaryFields } from './binary-fields.js'
import { copyIn } from './copy.js'
import { createPool } from './pool.js'
import { provision } from './provision.js'
import { transaction } from './transaction.js'

const KEY = Buffer.from('00112233445566778899aabbccddeeff', 'hex')

describe(copyIn, () => {
  let server: TestServer
  let url: string
  let pool: Pool

  beforeAll(async () => {
    server = await startServer()
    url = server.urlOf('trestle_notes', 'notes')
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
    await query(url, 'CREATE TABLE note (id bigint PRIMARY KEY, place int, key uuid, text bytea, amount bigint)')
    pool = createPool({ url, schema: 'notes', max: 1 })
  })

  beforeEach(() => query(url, 'TRUNCATE note'))

  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('adds rows with every type of field', async () => {
    const rows = new BinaryFields()
    addNote(rows, { id: Number.MAX_SAFE_INTEGER, place: -1, text: Buffer.from('é'), amount: -(2n ** 63n) })
    addNote(rows, { id: 2 ** 32, place: 2 ** 31 - 1, text: undefined, amount: 2n ** 63n - 1n })
    await copy(rows)
    expect(await query(url, 'SELECT * FROM note ORDER BY id DESC')).toEqual([
      { id: '9007199254740991', place: -1, key: uuid(KEY), text: Buffer.from('é'), amount: '-9223372036854775808' },
      { id: '4294967296', place: 2147483647, key: uuid(KEY), text: null, amount: '9223372036854775807' },
    ])
  })

  it('adds more rows than fit into a socket buffer, and no rows', async () => {
    const rows = new BinaryFields()
    await copy(rows)
    for (let id = 0; id < 200_000; id++) addNote(rows, { id, place: 0, text: KEY, amount: 1n })
    await copy(rows)
    expect(await query(url, 'SELECT count(*)::int, sum(id)::text FROM note')).toEqual([{ count: 200_000, sum: '19999900000' }])
  })

  it('reuses the buffer for the next rows', async () => {
    const rows = new BinaryFields()
    for (const id of [1, 2]) {
      addNote(rows, { id, place: 0, text: KEY, amount: 1n })
      await copy(rows)
      rows.clear()
    }
    expect(await query(url, 'SELECT id FROM note ORDER BY id')).toEqual([{ id: '1' }, { id: '2' }])
  })

  it('fails with the error of Postgres, and leaves the connection usable', async () => {
    const rows = new BinaryFields()
    for (let id = 0; id < 100_000; id++) addNote(rows, { id: 7, place: 0, text: KEY, amount: 1n })
    await expect(copy(rows)).rejects.toMatchObject({ code: '23505' })
    await expect(transaction(pool, (client) => copyIn(client, 'nothing (id)', rows))).rejects.toMatchObject({ code: '42P01' })
    expect(await pool.query('SELECT id FROM note')).toMatchObject({ rows: [] })
  })

  it('fails when the connection is lost during the copy', async () => {
    const rows = new BinaryFields()
    for (let id = 0; id < 200_000; id++) addNote(rows, { id, place: 0, text: KEY, amount: 1n })
    const lost = transaction(pool, async (client) => {
      const copying = copyIn(client, 'note (id, place, key, text, amount)', rows)
      setImmediate(() => (client as unknown as Client).end())
      await copying
    })
    await expect(lost).rejects.toThrow(/Connection terminated/)
    expect(await query(url, 'SELECT id FROM note')).toEqual([])
  })

  it('clears the timeout of its statement when it is done', async () => {
    const hasty = createPool({ url, schema: 'notes', max: 1, statementMs: 300 })
    await transaction(hasty, (client) => copyIn(client, 'note (id, place, key, text, amount)', new BinaryFields()))
    await query(url, 'SELECT pg_sleep(0.6)')
    expect(await hasty.query('SELECT 1 AS one')).toMatchObject({ rows: [{ one: 1 }] })
    await hasty.end()
  })

  it.each([
    ['int4', [1, -1, 2 ** 31 - 1], (fields: BinaryFields, value: number) => fields.int4(value), [1, -1, 2 ** 31 - 1]],
    ['int8', [0, -1, 2 ** 33 + 5], (fields: BinaryFields, value: number) => fields.int8(value), ['0', '-1', '8589934597']],
    ['int4', [], (fields: BinaryFields, value: number) => fields.int4(value), []],
  ] as const)('passes %s[] %j as a parameter', async (type, values, write, read) => {
    const fields = new BinaryFields()
    for (const value of values) write(fields, value)
    expect(await query(url, `SELECT $1::${type}[] AS list`, [arrayParameter(type, fields)])).toEqual([{ list: read }])
  })

  it('passes bytes and uuids as parameters', async () => {
    const fields = new BinaryFields()
    fields.binary(KEY)
    const values = [arrayParameter('bytea', fields), arrayParameter('uuid', fields)]
    expect(await query(url, 'SELECT $1::bytea[] AS bytes, $2::uuid[]::text[] AS uuids', values)).toEqual([
      { bytes: [KEY], uuids: [uuid(KEY)] },
    ])
  })

  function copy(rows: BinaryFields): Promise<void> {
    return transaction(pool, (client) => copyIn(client, 'note (id, place, key, text, amount)', rows))
  }
})

function addNote(rows: BinaryFields, note: { id: number; place: number; text: Buffer | undefined; amount: bigint }): void {
  rows.row(5)
  rows.int8(note.id)
  rows.int4(note.place)
  rows.binary(KEY)
  if (note.text) rows.binary(note.text)
  else rows.null()
  rows.bigint(note.amount)
}

function uuid(key: Buffer): string {
  return key.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
