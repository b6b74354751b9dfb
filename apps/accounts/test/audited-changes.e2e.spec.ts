import { randomUUID } from 'node:crypto'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { join } from './joining.js'

const IS_ENTRY = "NEW.subject = 'accounts.security-event.recorded'"

describe('what changes rights', () => {
  let accounts: AccountsUnderTest
  let owner: TestUser
  let admin: TestUser
  let organization: string
  beforeAll(async () => {
    accounts = await startTestAccounts()
    ;[owner, admin] = [await accounts.createUser(), await accounts.createUser()]
    organization = (await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Acme' } })).body.id
    await join(accounts, admin, { owner, organizationId: organization, roles: ['admin'] })
    await call(owner, 'PUT', `/organizations/${organization}/policy`, { requireSecondFactor: false, approvals: ['nodes:delete'] })
  })
  afterAll(() => accounts.stop())
  afterEach(() => accounts.sql.query('DROP TRIGGER IF EXISTS entries ON outbox; DROP TRIGGER IF EXISTS decisions ON approval'))

  const call = ({ token }: TestUser, method: string, path: string, body?: object) => accounts.call(method, path, { token, body })
  /** Each for another node: who asks for the same thing again gets the approval that there is. */
  const askedFor = async () => {
    const body = { method: 'DELETE', path: `/nodes/users/me/nodes/node-${randomUUID()}` }
    return (await call(owner, 'POST', `/organizations/${organization}/approvals`, body)).body.id
  }
  const decide = (id: string, decision: string) => call(admin, 'PUT', `/organizations/${organization}/approvals/${id}`, { decision })

  it('is in one transaction with its entry of the security log, which is stored once', async () => {
    const id = await askedFor()
    // The outbox marks what it has published in another transaction: this keeps who wrote it.
    await accounts.sql.query(`
      CREATE TABLE written (what text, by xid8);
      CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO written VALUES (TG_TABLE_NAME, pg_current_xact_id()); RETURN NEW; END $$;
      CREATE TRIGGER entries BEFORE INSERT ON outbox FOR EACH ROW WHEN (${IS_ENTRY}) EXECUTE FUNCTION note_written();
      CREATE TRIGGER decisions BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION note_written()`)
    expect((await decide(id, 'approved')).status).toBe(200)
    const { rows } = await accounts.sql.query(
      'SELECT what, count(*)::int, count(DISTINCT by)::int AS transactions FROM written GROUP BY 1 ORDER BY 1',
    )
    expect(rows).toEqual([
      { what: 'approval', count: 1, transactions: 1 },
      { what: 'outbox', count: 1, transactions: 1 },
    ])
    expect((await accounts.sql.query('SELECT count(DISTINCT by)::int FROM written')).rows).toEqual([{ count: 1 }])
    const logged = async () => {
      const { rows: found } = await accounts.sql.query(
        "SELECT status, user_id FROM security_event WHERE kind = 'approval-decided' AND target->>'approvalId' = $1",
        [id],
      )
      return found.length > 0 ? found : undefined
    }
    expect(await eventually(logged, 'the entry', SOON_MS)).toEqual([{ status: 200, user_id: admin.id }])
  })

  it('does not happen where its entry cannot be stored', async () => {
    const id = await askedFor()
    const other = (await call(owner, 'POST', '/organizations', { name: 'Other' })).body.id
    const member = await accounts.createUser()
    await join(accounts, member, { owner, organizationId: other, roles: ['admin'] })
    await accounts.sql.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space left on device'; END $$;
      CREATE TRIGGER entries BEFORE INSERT ON outbox FOR EACH ROW WHEN (${IS_ENTRY}) EXECUTE FUNCTION refuse()`)
    const changes = await Promise.all([
      decide(id, 'approved'),
      call(owner, 'PUT', `/organizations/${other}/members/${member.id}`, { roles: ['viewer'] }),
      call(owner, 'PUT', `/organizations/${other}/policy`, { requireSecondFactor: false, approvals: ['nodes:delete'] }),
      call(owner, 'POST', '/users/me/client-keys', {}),
    ])
    for (const { status } of changes) expect(status).toBe(500)
    const { rows } = await accounts.sql.query(
      `SELECT (SELECT decision FROM approval WHERE id = $1), (SELECT roles FROM member WHERE user_id = $2 AND organization_id = $3),
              (SELECT approvals FROM organization WHERE id = $3), (SELECT count(*)::int FROM client_key) AS keys`,
      [id, member.id, other],
    )
    expect(rows).toEqual([{ decision: null, roles: ['admin'], approvals: [], keys: 0 }])
  })

  it('has the failure alone in the log where it was refused', async () => {
    const id = await askedFor()
    expect((await call(owner, 'PUT', `/organizations/${organization}/approvals/${id}`, { decision: 'approved' })).status).toBe(403)
    const logged = async () => {
      const { rows } = await accounts.sql.query("SELECT outcome, code FROM security_event WHERE target->>'approvalId' = $1", [id])
      return rows.length > 0 ? rows : undefined
    }
    expect(await eventually(logged, 'the entry', SOON_MS)).toEqual([{ outcome: 'failure', code: 'OwnApproval' }])
  })
})
