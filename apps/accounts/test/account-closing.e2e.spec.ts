import { eventually } from '@trestle/testing/eventually'
import { AccountClosingService } from '../src/account-deletion/account-closing.service.js'
import { DueDeletionsService } from '../src/account-deletion/due-deletions.service.js'
import { UnitOfWorkService } from '../src/unit-of-work/unit-of-work.service.js'
import { type AccountsUnderTest, PASSWORD, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

const HOUR_MS = 3600_000

describe('closing an account', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts({ ABSENT_DEPLOYMENTS: 'nodes,staking,eth,etc' })
  })
  afterAll(() => accounts.stop())
  afterEach(() => accounts.setClockAhead(0))

  const request = ({ token }: Pick<TestUser, 'token'>) =>
    accounts.call('POST', '/users/me/deletion', { token, body: { password: PASSWORD } })
  const runAt = async (hours: number) => {
    accounts.setClockAhead(hours * HOUR_MS)
    await accounts.service.app.get(DueDeletionsService, { strict: false }).run()
  }
  const isStored = async (id: string) => (await accounts.sql.query('SELECT FROM "user" WHERE id = $1', [id])).rowCount === 1

  /** Somebody who may join an organization, and the call that does it. */
  async function invited() {
    const [owner, user] = [await accounts.createUser(), await accounts.createUser()]
    const { body: organization } = await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Engines' } })
    const invitation = { email: user.email, roles: ['member'] }
    await accounts.call('POST', `/organizations/${organization.id}/invitations`, { token: owner.token, body: invitation })
    const link = (await accounts.mailed(user.email, 2))[0]?.text ?? ''
    const token = /\/app\/account\/invitation\/(\S+)/.exec(link)?.[1]
    return {
      user,
      organizationId: organization.id as string,
      accept: () => accounts.call('PUT', `/invitations/${token}`, { token: user.token }),
    }
  }

  it('waits where the user joins an organization at that moment, and ends the membership for all services then', async () => {
    const { user, organizationId, accept } = await invited()
    expect((await request(user)).status).toBe(202)
    expect((await accept()).status).toBe(200)
    const closing = accounts.service.app.get(AccountClosingService, { strict: false })
    const unitOfWork = accounts.service.app.get(UnitOfWorkService, { strict: false })
    const before = { resources: [], unreachable: [], organizations: [] }
    await expect(unitOfWork.run((tx, now) => closing.close(tx, user.id, before, now))).rejects.toThrow('has joined an organization')
    expect((await accounts.call('GET', '/users/me', { token: user.token })).status).toBe(200)
    await runAt(72.1)
    const { rows } = await accounts.sql.query(
      "SELECT payload FROM outbox WHERE subject = 'accounts.membership.changed' AND payload->>'userId' = $1 AND payload->>'organizationId' = $2 ORDER BY payload->'version'",
      [user.id, organizationId],
    )
    expect(rows.map(({ payload }) => payload.permissions.length > 0)).toEqual([true, false])
  })

  it('lets the user join no organization meanwhile', async () => {
    const { user, accept } = await invited()
    const closing = await accounts.sql.connect()
    await closing.query('BEGIN')
    await closing.query('SELECT FROM "user" WHERE id = $1 FOR UPDATE', [user.id])
    const accepting = accept()
    await eventually(isSomebodyWaiting, 'the acceptance waits', SOON_MS)
    await closing.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [user.id])
    await closing.query('COMMIT')
    closing.release()
    expect(await accepting).toMatchObject({ status: 403, body: { code: 'UserDisabled' } })
    expect((await accounts.sql.query('SELECT FROM member WHERE user_id = $1', [user.id])).rowCount).toBe(0)
  })

  async function isSomebodyWaiting(): Promise<boolean> {
    const { rowCount } = await accounts.sql.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    return rowCount !== 0
  }

  it('keeps no other account from being erased where one cannot be', async () => {
    const [stuck, user] = [await accounts.createUser(), await accounts.createUser()]
    await request(stuck)
    await request(user)
    await runAt(72.1)
    await accounts.sql.query(
      `CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF OLD.id = '${stuck.id}' THEN RAISE 'stuck'; END IF; RETURN OLD; END $$`,
    )
    await accounts.sql.query('CREATE TRIGGER stuck BEFORE DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION stuck()')
    await expect(runAt(72.3)).rejects.toThrow('accounts could not be deleted')
    expect([await isStored(stuck.id), await isStored(user.id)]).toEqual([true, false])
    await accounts.sql.query('DROP TRIGGER stuck ON "user"')
    await runAt(72.3)
    expect(await isStored(stuck.id)).toBe(false)
  })
})
