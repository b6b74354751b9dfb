import { CleanupRepository } from '../src/cleanup/cleanup.repository.js'
import { type AccountsSchema, accountsSchema } from './accounts-schema.js'

const NOW = new Date('2026-06-01T00:00:00Z')
const before = (days: number) => new Date(NOW.getTime() - days * 86_400_000)

describe(CleanupRepository, () => {
  let schema: AccountsSchema
  beforeAll(async () => {
    schema = await accountsSchema()
  })
  afterAll(() => schema.drop())

  const count = async (table: string) => (await schema.pool.query(`SELECT FROM ${table}`)).rowCount
  const userId = 'user-00000000-0000-0000-0000-000000000000'

  it('deletes the expired rows of every table, however many, and nothing else', async () => {
    const { pool } = schema
    await pool.query(`INSERT INTO "user" VALUES ($1, 'a@b.test', 'a@b.test', 'Ada', 'individual', '{}', 'hash', $2, NULL, 0, $2, $2)`, [
      userId,
      NOW,
    ])
    for (const [id, updatedAt, disabledAt] of [
      ['abandoned', before(7.1), null],
      ['pending', before(6.9), null],
      ['disabled', before(8), NOW],
    ] as const)
      await pool.query(`INSERT INTO "user" VALUES ($1, $1, $1, 'Ada', 'individual', '{}', 'hash', NULL, $3, 0, $2, $2)`, [
        id,
        updatedAt,
        disabledAt,
      ])
    for (const [expiresAt, rows] of [
      [before(0.1), 2500],
      [before(-0.1), 2],
    ] as const)
      await pool.query(
        "INSERT INTO email_token SELECT decode(md5(n || '/' || $4::text), 'hex'), 'verification', $1, $2, $3::timestamptz FROM generate_series(1, $4::integer) n",
        [userId, NOW, expiresAt, rows],
      )
    for (const [expiresAt, id] of [
      [before(8), 'old'],
      [before(6), 'ended'],
      [before(-1), 'open'],
    ] as const)
      await pool.query("INSERT INTO session VALUES ($1, $2, '', '', $3, $4)", [id, userId, NOW, expiresAt])
    for (const [at, key] of [
      [before(1.1), 'old'],
      [before(0.9), 'recent'],
    ] as const)
      await pool.query('INSERT INTO attempt VALUES ($1, 5, $2)', [Buffer.from(key), at])
    for (const [at, key] of [
      [before(31), 'old'],
      [before(29), 'recent'],
    ] as const)
      await pool.query('INSERT INTO known_network VALUES ($1, $2)', [Buffer.from(key), at])
    for (const [at, id, state] of [
      [before(91), 'oldest', 'sent'],
      [before(2), 'old', 'failed'],
      [before(0.5), 'recent', 'failed'],
      [before(2), 'late', 'queued'],
    ] as const)
      await pool.query("INSERT INTO mail VALUES ($1, 'a@b.test', 'x', 'x', $2, 1, NULL, $3, NULL, $3, NULL)", [id, state, at])

    for (const [changedAt, organization, roles] of [
      [before(366), 'left', []],
      [before(364), 'left-lately', []],
      [before(366), 'current', ['member']],
    ] as const)
      await pool.query('INSERT INTO member (user_id, organization_id, roles, joined_at, changed_at) VALUES ($1, $2, $3, $4, $4)', [
        userId,
        organization,
        roles,
        changedAt,
      ])

    await new CleanupRepository(pool).deleteExpired(NOW)

    const { rows: users } = await pool.query(`SELECT id FROM "user" WHERE id <> $1 ORDER BY id`, [userId])
    expect(users).toEqual([{ id: 'disabled' }, { id: 'pending' }])
    expect(await count('email_token')).toBe(2)
    expect((await pool.query('SELECT id FROM session ORDER BY id')).rows).toEqual([{ id: 'ended' }, { id: 'open' }])
    expect((await pool.query("SELECT encode(key, 'escape') AS key FROM attempt")).rows).toEqual([{ key: 'recent' }])
    expect((await pool.query("SELECT encode(key, 'escape') AS key FROM known_network")).rows).toEqual([{ key: 'recent' }])
    expect((await pool.query('SELECT organization_id AS id FROM member ORDER BY id')).rows).toEqual([
      { id: 'current' },
      { id: 'left-lately' },
    ])
    expect((await pool.query('SELECT id, text_sealed IS NULL AS erased FROM mail ORDER BY id')).rows).toEqual([
      { id: 'late', erased: false },
      { id: 'old', erased: true },
      { id: 'recent', erased: false },
    ])
  })
})
