import { createPool } from '@trestle/database/pool'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { NODES_MIGRATIONS } from './nodes-under-test.js'

// While replicas are replaced, those of the release before go on under the names that tables and columns had: these are their statements.
const ADD = `
  INSERT INTO holding (id, kind, user_id, blueprint, capacity, alias, auth_type, auth_user, sealed_password, credentials_digest, allowed_ips, port,
    created_at, updated_at, started_at, look_at, expires_at, request_key, request_hash)
  VALUES ($1, 'cluster', 'user-1', '{"serviceId":"a"}', 2, $2, 'basic', 'u', '\\x00', sha256('u:p'), '{}', NULL,
    now(), now(), now(), now(), now() + interval '1 day', $3, sha256('x'))
  ON CONFLICT (user_id, kind, request_key) WHERE request_key IS NOT NULL DO NOTHING RETURNING *`
const ADD_MACHINE = `
  INSERT INTO machine (id, holding_id, blueprint, sealed_password, created_at) VALUES ($1, $2, '{}', '\\x00', now()) ON CONFLICT (id) DO NOTHING`
const SAVE_LOOKS = `
  UPDATE holding SET look_at = new.look_at, attempts = new.attempts
  FROM jsonb_to_recordset($1) AS new (id text, look_at timestamptz, attempts int, updated_at timestamptz)
  WHERE holding.id = new.id AND holding.updated_at <= new.updated_at`
const STOP_ALL = `
  UPDATE holding SET wanted = 'stopped', stopped_at = $3, updated_at = $3, look_at = least(look_at, $3), attempts = 0
  FROM unnest($1::text[], $2::timestamptz[]) AS disabled (owner, at)
  WHERE user_id = disabled.owner AND wanted = 'started' AND started_at <= disabled.at + interval '1 minute' RETURNING id`

describe('the release before, on the renamed tables', () => {
  let database: TestDatabase
  let pool: Pool

  beforeAll(async () => {
    database = await freshDatabase({ schema: 'nodes', migrations: NODES_MIGRATIONS })
    pool = createPool({ url: database.url, schema: 'nodes' })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  it('adds a workload once for a request, with defaults and a serial number', async () => {
    const { rows } = await pool.query(ADD, ['cluster-1', 'mine', 'key-1'])
    expect(rows).toEqual([
      expect.objectContaining({ id: 'cluster-1', serial: '1', wanted: 'started', attempts: 0, look_at: expect.any(Date) }),
    ])
    expect((await pool.query(ADD, ['cluster-2', null, 'key-1'])).rows).toEqual([])
    expect((await pool.query('SELECT id, desired_state FROM workload')).rows).toEqual([{ id: 'cluster-1', desired_state: 'started' }])
  })

  it('knows a taken alias by the name of its index', async () => {
    await expect(pool.query(ADD, ['cluster-3', 'mine', 'key-3'])).rejects.toMatchObject({ constraint: 'holding_alias' })
  })

  it('adds, changes and removes machines', async () => {
    await pool.query(ADD_MACHINE, ['node-1', 'cluster-1'])
    await pool.query(ADD_MACHINE, ['node-1', 'cluster-1'])
    await pool.query("UPDATE machine SET wanted = 'gone', seen_at = now() WHERE id = ANY($1)", [['node-1']])
    const { rows } = await pool.query('SELECT id, workload_id, desired_state, observed_at FROM workload_machine')
    expect(rows).toEqual([{ id: 'node-1', workload_id: 'cluster-1', desired_state: 'gone', observed_at: expect.any(Date) }])
    const { rows: former } = await pool.query('SELECT * FROM machine WHERE holding_id = ANY($1) ORDER BY created_at, id', [['cluster-1']])
    expect(former).toEqual([expect.objectContaining({ wanted: 'gone', phase: 'pending', conditions: [] })])
    expect((await pool.query('DELETE FROM machine WHERE id = ANY($1)', [['node-1']])).rowCount).toBe(1)
  })

  it('schedules the next reconciliation, and stops what a disabled user has', async () => {
    const now = new Date(Date.now() + 1000)
    const looks = [{ id: 'cluster-1', look_at: now, attempts: 3, updated_at: now }]
    await pool.query(SAVE_LOOKS, [JSON.stringify(looks)])
    expect((await pool.query('SELECT reconcile_at, attempts FROM workload')).rows).toEqual([{ reconcile_at: now, attempts: 3 }])
    expect((await pool.query(STOP_ALL, [['user-1'], [now], now])).rows).toEqual([{ id: 'cluster-1' }])
    expect((await pool.query('SELECT desired_state FROM workload')).rows).toEqual([{ desired_state: 'stopped' }])
  })
})
