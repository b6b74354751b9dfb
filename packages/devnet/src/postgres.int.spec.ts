import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type RunningPostgres, startPostgres } from './postgres.js'

describe(startPostgres, () => {
  let dir: string
  let postgres: RunningPostgres

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'postgres-'))
    postgres = await startPostgres({ dir, durable: false })
  })

  afterAll(async () => {
    await postgres.stop()
    rmSync(dir, { recursive: true })
  })

  it('listens on 127.0.0.1 only, and wants the password', async () => {
    expect(await query(postgres.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    await expect(query(postgres.url.replace(/:[^:]+@/, ':guess@'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('keeps what was committed before it was killed', async () => {
    await query(postgres.url, 'CREATE TABLE kept (n int)')
    await query(postgres.url, 'INSERT INTO kept VALUES (42)')
    postgres.process.kill('SIGKILL')
    expect(await postgres.process.exited).toBe('SIGKILL')
    postgres = await startPostgres({ dir, port: postgres.port, durable: false })
    expect(await query(postgres.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }])
  })

  it('stops while clients are connected', async () => {
    const client = new pg.Client(postgres.url)
    client.on('error', () => {})
    await client.connect()
    await postgres.stop()
    expect(await postgres.process.exited).toBe('exit code 0')
    postgres = await startPostgres({ dir, durable: false })
  })

  it('takes over from a server that an earlier run left behind', async () => {
    const earlier = postgres
    postgres = await startPostgres({ dir, durable: false })
    expect(await earlier.process.exited).toBe('exit code 0')
  })

  it('says why it does not start', async () => {
    const other = mkdtempSync(join(tmpdir(), 'postgres-'))
    await expect(startPostgres({ dir: other, port: postgres.port, durable: false })).rejects.toThrow('Address already in use')
    rmSync(other, { recursive: true })
  })
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
