import type { Pool } from 'pg'
import { startProxy, type TestProxy } from '../test/proxy.js'
import { query, startServer, type TestServer } from '../test/server.js'
import { createPool } from './pool.js'
import { provision } from './provision.js'
import { transaction } from './transaction.js'

describe(transaction, () => {
  let server: TestServer
  let proxy: TestProxy
  let url: string
  let pool: Pool

  beforeAll(async () => {
    server = await startServer()
    url = server.urlOf('trestle_notes', 'notes')
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
    await query(url, 'CREATE TABLE note (id int PRIMARY KEY)')
    proxy = await startProxy(url)
    // One connection: whatever state a transaction leaves on it, the next one inherits.
    pool = createPool({ url: proxy.url, schema: 'notes', max: 1 })
  })

  beforeEach(() => query(url, 'TRUNCATE note'))

  afterAll(async () => {
    await pool.end()
    proxy.stop()
    await server.stop()
  })

  it('commits what the work wrote, and returns what it returned', async () => {
    expect(await transaction(pool, (client) => client.query('INSERT INTO note VALUES (1) RETURNING id'))).toMatchObject({
      rows: [{ id: 1 }],
    })
    expect(await notes()).toEqual([1])
  })

  it('rolls back work that throws, and rethrows its error', async () => {
    const failure = new Error('changed my mind')
    const work = transaction(pool, async (client) => {
      await client.query('INSERT INTO note VALUES (1)')
      throw failure
    })
    await expect(work).rejects.toBe(failure)
    await add(2)
    expect(await notes()).toEqual([2])
  })

  it('rethrows an SQL error unchanged', async () => {
    await add(1)
    await expect(add(1)).rejects.toMatchObject({ code: '23505' })
    await add(2)
    expect(await notes()).toEqual([1, 2])
  })

  it('does not mistake a swallowed error of a statement for a commit', async () => {
    const work = transaction(pool, async (client) => {
      await client.query('INSERT INTO note VALUES (1)')
      await client.query('INSERT INTO note VALUES (1)').catch(() => {})
    })
    await expect(work).rejects.toThrow('A statement of the transaction failed, and its error was swallowed.')
    expect(await notes()).toEqual([])
  })

  it('fails with DatabaseUnavailable when the response to COMMIT is lost, although it was committed', async () => {
    proxy.cutAfter('COMMIT')
    await expect(add(1)).rejects.toMatchObject({ code: 'DatabaseUnavailable' })
    proxy.cutAfter(undefined)
    await add(2)
    expect(await notes()).toEqual([1, 2])
  })

  it('fails with DatabaseUnavailable when the connection is lost during the work, and writes nothing', async () => {
    const work = transaction(pool, async (client) => {
      await client.query('INSERT INTO note VALUES (1)')
      await query(server.adminUrl, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', ['notes'])
      await client.query('INSERT INTO note VALUES (2)')
    })
    await expect(work).rejects.toMatchObject({ code: 'DatabaseUnavailable' })
    await add(3)
    expect(await notes()).toEqual([3])
  })

  it('gives up on a silent network, and works again after it', async () => {
    proxy.hang()
    await expect(add(1)).rejects.toMatchObject({ code: 'DatabaseUnavailable' })
    await expect(add(1)).rejects.toMatchObject({ code: 'DatabaseUnavailable' })
    proxy.heal()
    await add(2)
    expect(await notes()).toEqual([2])
  })

  async function add(id: number): Promise<void> {
    await transaction(pool, (client) => client.query('INSERT INTO note VALUES ($1)', [id]))
  }

  async function notes(): Promise<number[]> {
    const rows = (await query(url, 'SELECT id FROM note ORDER BY id')) as { id: number }[]
    return rows.map(({ id }) => id)
  }
})
