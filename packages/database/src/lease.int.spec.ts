import type { Pool } from 'pg'
import { startProxy, type TestProxy } from '../test/proxy.js'
import { query, startServer, type TestServer, untilRunning } from '../test/server.js'
import { acquireLease, Lease, LeaseLost, tryLease } from './lease.js'
import { createPool } from './pool.js'
import { provision } from './provision.js'

const MINUTE = 60_000

describe(Lease, () => {
  let server: TestServer
  let url: string
  let pool: Pool

  beforeAll(async () => {
    server = await startServer()
    url = server.urlOf('trestle_notes', 'notes')
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
    await query(url, 'CREATE TABLE lease (name text PRIMARY KEY, epoch bigint, holder text, session text, held_until timestamptz)')
    await query(url, 'CREATE TABLE note (id serial, text text)')
    pool = createPool({ url, schema: 'notes' })
  })

  beforeEach(() => query(url, 'TRUNCATE lease, note'))

  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('has one holder at a time, and goes to the next when it is released', async () => {
    const first = await acquire('first')
    expect(await tryLease({ pool, name: 'writer', holder: 'second' })).toBeUndefined()
    const waiting = acquire('second')
    await first.release()
    const second = await waiting
    expect([first.epoch, second.epoch]).toEqual([1n, 2n])
    expect(first.signal.reason).toBeInstanceOf(LeaseLost)
    await second.release()
  })

  it('is independent of leases with other names', async () => {
    const leases = await Promise.all([acquire('one'), acquireLease({ pool, name: 'other', holder: 'one' })])
    expect(leases.map(({ epoch }) => epoch)).toEqual([1n, 1n])
    await Promise.all(leases.map((lease) => lease.release()))
  })

  it('is renewed for as long as it is held', async () => {
    const lease = await acquire('first', 600)
    const until = async () => ((await query(url, 'SELECT held_until FROM lease')) as [{ held_until: Date }])[0].held_until
    const before = await until()
    while ((await until()) <= before);
    expect(lease.signal.aborted).toBe(false)
    await lease.release()
  })

  it('stops waiting when the signal aborts', async () => {
    const first = await acquire('first')
    const stop = new AbortController()
    const waiting = acquireLease({ pool, name: 'writer', holder: 'second' }, stop.signal)
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    await first.release()
  })

  it('is not kept if the signal aborts during the acquisition', async () => {
    await expect(acquireLease({ pool, name: 'writer', holder: 'first' }, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    const second = await acquire('second')
    await second.release()
  })

  it('is free at once when its holder is killed', async () => {
    // Through a proxy, which ends with it: a holder that lives connects again.
    const proxy = await startProxy(url)
    const dying = createPool({ url: proxy.url, schema: 'dying' })
    await acquireLease({ pool: dying, name: 'writer', holder: 'first', ttlMs: 10 * MINUTE })
    proxy.stop()
    const second = await acquire('second')
    expect(second.epoch).toBe(2n)
    await second.release()
  })

  it('does not let a former holder commit, even one that has not noticed', async () => {
    const first = await paused('first')
    const second = await acquire('second')
    const late = first.lease.transaction(pool, (client) => client.query("INSERT INTO note (text) VALUES ('late')"))
    await expect(late).rejects.toBeInstanceOf(LeaseLost)
    await second.transaction(pool, (client) => client.query("INSERT INTO note (text) VALUES ('in time')"))
    expect(await notes()).toEqual(['in time'])
    expect(first.lease.signal.aborted).toBe(true)
    first.proxy.stop()
    await second.release()
  })

  it('does not let a transaction commit that began while it was held', async () => {
    const first = await paused('first')
    let second: Lease | undefined
    const late = first.lease.transaction(pool, async (client) => {
      await client.query("INSERT INTO note (text) VALUES ('late')")
      second = await acquire('second')
    })
    await expect(late).rejects.toBeInstanceOf(LeaseLost)
    expect(await notes()).toEqual([])
    first.proxy.stop()
    await second?.release()
  })

  it('goes to the next holder only after what passed the fence is committed', async () => {
    const first = await paused('first')
    const client = await pool.connect()
    await client.query("BEGIN; INSERT INTO note (text) VALUES ('in time')")
    await first.lease.fence(client)
    const waiting = acquire('second').then(async (second) => ({ second, seen: await notes() }))
    await untilRunning(server.adminUrl, '%INSERT INTO lease%')
    await client.query('COMMIT')
    client.release()
    const { second, seen } = await waiting
    expect(seen).toEqual(['in time'])
    first.proxy.stop()
    await second.release()
  })

  it('aborts the transactions of a former holder', async () => {
    const first = await paused('first', 1_000)
    const patient = createPool({ url, schema: 'patient', statementMs: Number.POSITIVE_INFINITY })
    const sleeping = first.lease.transaction(patient, (client) => client.query('SELECT pg_sleep(3600)'))
    await expect(sleeping).rejects.toBeInstanceOf(LeaseLost)
    await patient.end()
    first.proxy.stop()
  })

  it('survives the loss of its connection', async () => {
    const own = createPool({ url, schema: 'own' })
    const lease = await acquireLease({ pool: own, name: 'writer', holder: 'first', ttlMs: 10 * MINUTE })
    const session = async () => ((await query(url, 'SELECT session FROM lease')) as [{ session: string }])[0].session
    const before = await session()
    await query(server.adminUrl, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'own'")
    while ((await session()) === before);
    expect(await tryLease({ pool, name: 'writer', holder: 'second' })).toBeUndefined()
    await lease.release()
    await own.end()
  })

  it('survives a restart of Postgres', async () => {
    const lease = await acquire('first')
    await server.kill()
    await server.restart()
    await lease.transaction(pool, (client) => client.query("INSERT INTO note (text) VALUES ('again')"))
    expect(await notes()).toEqual(['again'])
    await lease.release()
  })

  function acquire(holder: string, ttlMs?: number): Promise<Lease> {
    return acquireLease({ pool, name: 'writer', holder, ttlMs })
  }

  /** A holder whose renewals are lost, as if it were paused: its lease has expired, and its connection is still open. */
  async function paused(holder: string, ttlMs = 10 * MINUTE): Promise<{ lease: Lease; proxy: TestProxy }> {
    const proxy = await startProxy(url)
    const lease = await acquireLease({ pool: createPool({ url: proxy.url, schema: holder, max: 1 }), name: 'writer', holder, ttlMs })
    proxy.hang()
    if (ttlMs === 10 * MINUTE) await query(url, 'UPDATE lease SET held_until = clock_timestamp()')
    return { lease, proxy }
  }

  async function notes(): Promise<string[]> {
    return ((await query(url, 'SELECT text FROM note ORDER BY id')) as { text: string }[]).map(({ text }) => text)
  }
})
