import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { freshDatabase } from './postgres.js'

const migrations = fileURLToPath(new URL('../test/migrations', import.meta.url))

describe(freshDatabase, () => {
  it('gives the service role a migrated schema', async () => {
    const { url, drop } = await freshDatabase({ schema: 'notes', migrations })
    await query(url, 'INSERT INTO notes.note VALUES (1)')
    expect(await query(url, 'SELECT id, current_schema FROM note')).toEqual([{ id: 1, current_schema: 'notes' }])
    await drop()
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('gives each caller a database of its own on the same server', async () => {
    const [one, other] = await Promise.all([freshDatabase({ schema: 'notes', migrations }), freshDatabase({ schema: 'notes', migrations })])
    await query(one.url, 'INSERT INTO note VALUES (1)')
    expect(await query(other.url, 'SELECT * FROM note')).toEqual([])
    expect(new URL(one.url).port).toBe(new URL(other.url).port)
    await Promise.all([one.drop(), other.drop()])
  })

  it('lets the superuser read the same database', async () => {
    const { adminUrl, drop } = await freshDatabase({ schema: 'notes', migrations })
    expect(await query(adminUrl, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([{ rolsuper: true }])
    expect(await query(adminUrl, 'SELECT * FROM notes.note')).toEqual([])
    await drop()
  })
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
