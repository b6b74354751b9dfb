import { Metrics } from '@trestle/runtime/metrics'
import { Pool } from 'pg'
import { query, startServer, type TestServer } from '../test/server.js'
import { addDatabaseMetrics, addRowGauge } from './database-metrics.js'
import { tryLease } from './lease.js'
import { provision } from './provision.js'

const LEASES =
  'CREATE TABLE lease (name text PRIMARY KEY, epoch bigint NOT NULL, holder text NOT NULL, session text NOT NULL, held_until timestamptz NOT NULL)'

describe('the metrics of a database', () => {
  let server: TestServer
  let pool: Pool
  const metrics = new Metrics()

  beforeAll(async () => {
    server = await startServer()
    const url = server.urlOf('trestle_notes', 'notes')
    await provision({ adminUrl: server.adminUrl, url, schema: 'notes' })
    await query(url, LEASES)
    await query(url, "CREATE TABLE note (state text); INSERT INTO note VALUES ('new'), ('new'), ('read')")
    pool = new Pool({ connectionString: url, max: 3 })
    pool.on('error', () => {})
    addDatabaseMetrics(pool, metrics)
    const sql = 'SELECT state, count(*)::int AS count FROM note GROUP BY state'
    addRowGauge(pool, metrics, { name: 'notes_by_state', help: 'Notes.', labels: ['state'], sql })
  })

  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('show the connections in use, their limit, and who waits', async () => {
    expect(await samples('database_')).toEqual(['connections_in_use 0', 'connections_limit 3', 'waiting 0'])
    const clients = await Promise.all([1, 2, 3].map(() => pool.connect()))
    const waiting = pool.query('SELECT')
    expect(await samplesWithout('notes_by_state', 'database_')).toEqual(['connections_in_use 3', 'connections_limit 3', 'waiting 1'])
    for (const client of clients) client.release()
    await waiting
  })

  it('show a lease while this process holds it', async () => {
    expect(await samples('lease_held')).toEqual([])
    const lease = await tryLease({ pool, name: 'indexer', holder: 'test' })
    expect(await samples('lease_held')).toEqual(['{lease="indexer"} 1'])
    await lease?.release()
    expect(await samples('lease_held')).toEqual([])
  })

  it('count rows by label, and show nothing old', async () => {
    expect(await samples('notes_by_state')).toEqual(['{state="new"} 2', '{state="read"} 1'])
    await pool.query("DELETE FROM note WHERE state = 'read'")
    expect(await samples('notes_by_state')).toEqual(['{state="new"} 2'])
    await server.kill()
    // Its processes end a moment after it.
    while ((await samples('notes_by_state')).length > 0);
    await server.restart()
    expect(await samples('notes_by_state')).toEqual(['{state="new"} 2'])
  })

  async function samples(prefix: string): Promise<string[]> {
    return sampled(await metrics.registry.metrics(), prefix)
  }

  /** Collects without the query of this one, which would wait for a connection. */
  async function samplesWithout(other: string, prefix: string): Promise<string[]> {
    const texts = metrics.registry.getMetricsAsArray().filter(({ name }) => name !== other && name.startsWith(prefix))
    return sampled((await Promise.all(texts.map(({ name }) => metrics.registry.getSingleMetricAsString(name)))).join('\n'), prefix)
  }
})

function sampled(text: string, prefix: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length))
    .sort()
}
