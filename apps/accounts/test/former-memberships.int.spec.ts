import { type AccountsSchema, accountsSchema } from './accounts-schema.js'

// While replicas are replaced, those of the release before go on under the old name: these are their statements.
const FIND = 'SELECT user_id, organization_id, roles, joined_at FROM membership WHERE (user_id = $1 AND 1=1) LIMIT 1 OFFSET 0'
const LIST = 'SELECT user_id, roles FROM membership WHERE organization_id = $1 ORDER BY joined_at ASC, user_id ASC OFFSET 0'
const ADD = 'INSERT INTO membership (user_id, organization_id, roles, joined_at) VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING'
const CHANGE = 'UPDATE membership SET roles = $2 WHERE (user_id = $1 AND 1=1) RETURNING user_id, organization_id, roles, joined_at'
const REMOVE = 'DELETE FROM membership WHERE (user_id = $1 AND 1=1) RETURNING user_id, organization_id, roles, joined_at'
const DISSOLVE = 'DELETE FROM organization WHERE (id = $1 AND 1=1) RETURNING id, name, created_at'

describe('the release before, on the table of memberships', () => {
  let schema: AccountsSchema

  beforeAll(async () => {
    schema = await accountsSchema()
    for (const id of ['a', 'b', 'c', 'd'])
      await sql(
        `INSERT INTO "user" (id, email, email_canonical, display_name, entity_type, billing_address, password_hash, created_at, updated_at)
         VALUES ($1, $1, $1, $1, 'individual', '{}', 'x', now(), now())`,
        [id],
      )
    for (const id of ['one', 'two']) await sql("INSERT INTO organization (id, name, created_at) VALUES ($1, 'x', now())", [id])
  })
  afterAll(() => schema.drop())

  it('adds a member who is in no organization, once', async () => {
    expect((await sql(ADD, ['a', 'one', ['owner']])).rowCount).toBe(1)
    expect((await sql(ADD, ['a', 'one', ['member']])).rowCount).toBe(0)
    expect((await sql(ADD, ['a', 'two', ['owner']])).rowCount).toBe(0)
    expect((await sql(FIND, ['a'])).rows).toEqual([{ user_id: 'a', organization_id: 'one', roles: ['owner'], joined_at: expect.any(Date) }])
  })

  it('changes roles, and removes and adds a member again, each time with a higher version', async () => {
    await sql(ADD, ['b', 'one', ['member']])
    const versions = [await version('b')]
    expect((await sql(CHANGE, ['b', ['admin']])).rows).toEqual([
      { user_id: 'b', organization_id: 'one', roles: ['admin'], joined_at: expect.any(Date) },
    ])
    versions.push(await version('b'))
    expect((await sql(REMOVE, ['b'])).rowCount).toBe(1)
    expect((await sql(LIST, ['one'])).rows).toEqual([{ user_id: 'a', roles: ['owner'] }])
    expect((await sql(REMOVE, ['b'])).rowCount).toBe(0)
    versions.push(await version('b'))
    expect((await sql(ADD, ['b', 'one', ['auditor']])).rowCount).toBe(1)
    versions.push(await version('b'))
    expect(versions).toEqual([...new Set(versions)].sort((x, y) => x - y))
  })

  it('changes no member of several organizations: it would change all', async () => {
    await sql(
      "INSERT INTO member (user_id, organization_id, roles, joined_at) VALUES ('c', 'one', '{viewer}', now()), ('c', 'two', '{owner}', now())",
    )
    await expect(sql(CHANGE, ['c', ['owner']])).rejects.toThrow('several organizations')
    await expect(sql(REMOVE, ['c'])).rejects.toThrow('several organizations')
    expect((await sql("SELECT roles FROM member WHERE user_id = 'c' ORDER BY organization_id")).rows).toEqual([
      { roles: ['viewer'] },
      { roles: ['owner'] },
    ])
  })

  it('ends the membership of the last member with the organization', async () => {
    await sql("UPDATE member SET roles = '{}' WHERE organization_id = 'two'")
    await sql(ADD, ['d', 'two', ['owner']])
    const before = await version('d')
    expect((await sql(DISSOLVE, ['two'])).rowCount).toBe(1)
    expect((await sql("SELECT roles FROM member WHERE user_id = 'd'")).rows).toEqual([{ roles: [] }])
    expect(await version('d')).toBeGreaterThan(before)
  })

  function sql(text: string, values: unknown[] = []) {
    return schema.pool.query(text, values)
  }

  async function version(userId: string): Promise<number> {
    return Number((await sql('SELECT version FROM member WHERE user_id = $1', [userId])).rows[0].version)
  }
})
