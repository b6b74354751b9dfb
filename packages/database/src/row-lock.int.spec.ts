import { fileURLToPath } from 'node:url'
import { Client, Pool } from 'pg'
import { query, startServer, type TestServer, untilRunning } from '../test/server.js'
import { tryLease } from './lease.js'
import { migrate } from './migrate.js'
import { provision } from './provision.js'
import { ROW_LOCK } from './row-lock.js'
import { transaction } from './transaction.js'

const NODES = fileURLToPath(new URL('../../../prisma/nodes/migrations', import.meta.url))

describe('ROW_LOCK', () => {
  let server: TestServer
  let url: string
  let other: string
  let pool: Pool

  beforeAll(async () => {
    server = await startServer()
    url = server.urlOf('trestle_nodes', 'trestle')
    other = server.urlOf('trestle_other', 'trestle')
    await provision({ adminUrl: server.adminUrl, url, schema: 'nodes' })
    await provision({ adminUrl: server.adminUrl, url: other, schema: 'other' })
  })

  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('is taken, as are migrations and leases, while another role holds advisory locks', async () => {
    const holder = new Client({ connectionString: other })
    await holder.connect()
    // Every number that a release of ours has ever locked; two keys, as hashtext and current_schema gave them.
    await holder.query(`SELECT pg_advisory_lock(72707369), pg_advisory_lock(72707370), pg_advisory_lock(hashtextextended('port', 0)),
      pg_advisory_lock(hashtextextended('a user', 0)), pg_advisory_lock(hashtext('outbox'), hashtext('nodes'))`)
    expect(await migrate({ url, schema: 'nodes', folder: NODES })).not.toEqual([])
    pool = new Pool({ connectionString: url })
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    const lease = await tryLease({ pool, name: 'reconciler', holder: 'test' })
    expect(lease).toBeDefined()
    await lease?.release()
    for (const name of ['port', 'a user']) await transaction(pool, (client) => client.query(ROW_LOCK, [name]))
    await holder.end()
  })

  it.each(['new', 'port'])('lets one transaction at a time have the name %s, whether or not its row exists', async (name) => {
    const order: string[] = []
    const entered = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const first = transaction(pool, async (client) => {
      await client.query(ROW_LOCK, [name])
      entered.resolve()
      await leave.promise
      order.push('first')
    })
    await entered.promise
    const second = transaction(pool, async (client) => {
      await client.query(ROW_LOCK, [name])
      order.push('second')
    })
    await untilRunning(server.adminUrl, 'INSERT INTO lock%')
    await transaction(pool, (client) => client.query(ROW_LOCK, ['another']))
    expect(order).toEqual([])
    leave.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })

  it('is out of reach of another role', async () => {
    await expect(query(other, "SELECT FROM nodes.lock WHERE name = 'port' FOR UPDATE")).rejects.toMatchObject({ code: '42501' })
  })
})
