import { randomUUID } from 'node:crypto'
import { countResources } from '@trestle/contracts/accounts/messages'
import { type ReplyOf, requestTo } from '@trestle/contracts/message'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { DueDeletionsService } from '../src/account-deletion/due-deletions.service.js'
import { DeparturesService } from '../src/organizations/departures.service.js'
import { UnitOfWorkService } from '../src/unit-of-work/unit-of-work.service.js'
import { type AccountsUnderTest, PASSWORD, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { connectOtherService } from './other-service.js'

const HOUR_MS = 3600_000
type Resources = ReplyOf<typeof countResources>['resources']

describe('deleting an account', () => {
  let accounts: AccountsUnderTest
  let nodes: ReturnType<typeof connectOtherService>
  /** What nodes and staking reply about each user; undefined: they do not answer. */
  let owned: Record<'nodes' | 'staking', Resources | undefined>
  /** Whose resources they were asked for last. */
  const counted: Partial<Record<'nodes' | 'staking', string[]>> = {}
  beforeAll(async () => {
    accounts = await startTestAccounts({ ABSENT_DEPLOYMENTS: 'eth,etc' })
    nodes = connectOtherService(accounts.nats, 'nodes')
    await eventually(() => nodes.connection.client, 'nodes is connected', SOON_MS)
    for (const [name, { connection }] of [['nodes', nodes] as const, ['staking', accounts.staking] as const])
      connection.client!.subscribe(requestTo(countResources, name).subject, {
        callback: (_, message) => {
          counted[name] = message.json<{ organizationIds: string[] }>().organizationIds
          const resources = owned[name]
          if (resources) message.respond(JSON.stringify({ answer: { resources } }))
        },
      })
  })
  afterAll(async () => {
    await nodes.close()
    await accounts.stop()
  })
  beforeEach(() => {
    owned = { nodes: [], staking: [] }
  })
  afterEach(() => accounts.setClockAhead(0))

  const preview = async ({ token }: Pick<TestUser, 'token'>) => (await accounts.call('GET', '/users/me/deletion', { token })).body
  const request = ({ token }: Pick<TestUser, 'token'>, password = PASSWORD) =>
    accounts.call('POST', '/users/me/deletion', { token, body: { password } })
  const cancel = ({ token }: Pick<TestUser, 'token'>) => accounts.call('DELETE', '/users/me/deletion', { token })
  const runAt = async (hours: number) => {
    accounts.setClockAhead(hours * HOUR_MS)
    await accounts.service.app.get(DueDeletionsService, { strict: false }).run()
  }
  const isStored = async (id: string) => (await accounts.sql.query('SELECT FROM "user" WHERE id = $1', [id])).rowCount === 1
  const announcements = async (id: string) => {
    const { rows } = await accounts.sql.query(
      "SELECT payload FROM outbox WHERE subject = 'accounts.user.deleted' AND payload->>'userId' = $1",
      [id],
    )
    return rows.map(({ payload }) => payload)
  }
  /** With the second step, which follows minutes after the first. */
  const carryOut = async () => {
    await runAt(72.1)
    await runAt(72.3)
  }
  async function organizationOf(owner: TestUser, members: TestUser[] = []) {
    const { body } = await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Engines' } })
    for (const { id } of members)
      await accounts.sql.query("INSERT INTO member (user_id, organization_id, roles, joined_at) VALUES ($1, $2, '{member}', now())", [
        id,
        body.id,
      ])
    return body.id as string
  }

  it('shows before what happens to what the user has', async () => {
    const user = await accounts.createUser()
    const id = await organizationOf(user)
    owned = {
      nodes: [{ kind: 'node', state: 'started', count: 2, effect: 'deleted' }],
      staking: [{ kind: 'validator', state: 'exited', count: 1, effect: 'kept' }],
    }
    expect(await preview(user)).toEqual({
      graceHours: 72,
      resources: [
        { deployment: 'staking', kind: 'validator', state: 'exited', count: 1, effect: 'kept' },
        { deployment: 'nodes', kind: 'node', state: 'started', count: 2, effect: 'deleted' },
      ],
      organizations: [{ id, name: 'Engines', effect: 'deleted' }],
      blockers: [],
      unreachable: [],
    })
    expect(await isStored(user.id)).toBe(true)
  })

  it('erases the user after the time of grace, and tells the other services', async () => {
    const user = await accounts.createUser()
    await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const organizationId = await organizationOf(user)
    const asked = await request(user)
    expect([asked.status, asked.body.graceHours]).toEqual([202, 72])
    expect(Date.parse(asked.body.dueAt) - Date.parse(asked.body.requestedAt)).toBe(72 * HOUR_MS)
    const mails = await accounts.mailed(user.email, 3)
    expect(mails.map(({ subject }) => subject)).toContain('Your account will be deleted')

    await runAt(71)
    expect((await accounts.call('GET', '/users/me', { token: user.token })).status).toBe(200)
    await runAt(72.1)
    await accounts.refused(user.token)
    expect((await accounts.call('POST', '/auth', { basic: `${user.email}:${PASSWORD}` })).status).toBe(401)
    expect([await isStored(user.id), await announcements(user.id)]).toEqual([true, []])

    await runAt(72.3)
    expect(await isStored(user.id)).toBe(false)
    expect(await announcements(user.id)).toEqual([{ userId: user.id, deletedAt: expect.any(String) }])
    const left = await accounts.sql.query(
      `SELECT (SELECT count(*) FROM mail WHERE recipient = $2) + (SELECT count(*) FROM mailbox WHERE recipient = $2)
            + (SELECT count(*) FROM client_key WHERE user_id = $1) + (SELECT count(*) FROM session WHERE user_id = $1)
            + (SELECT count(*) FROM organization WHERE id = $3) AS count`,
      [user.id, user.email, organizationId],
    )
    expect(left.rows).toEqual([{ count: '0' }])
    // The id is never used again, and the address is free.
    expect(
      (await accounts.sql.query('SELECT deleted_at FROM account_deletion WHERE user_id = $1', [user.id])).rows[0]?.deleted_at,
    ).toBeTruthy()
    accounts.setClockAhead(0)
    expect((await accounts.createUser({ email: user.email })).id).not.toBe(user.id)
  })

  it('leaves no trace of the user in any table but the security log and the tombstone', async () => {
    const user = await accounts.createUser()
    await request(user)
    await carryOut()
    const { rows: tables } = await accounts.sql.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'accounts'::regnamespace AND NOT relispartition`,
    )
    const holding: string[] = []
    for (const { name } of tables) {
      const { rowCount } = await accounts.sql.query(`SELECT FROM "${name}" AS t WHERE t::text LIKE '%' || $1 || '%' LIMIT 1`, [user.email])
      if (rowCount) holding.push(name)
    }
    expect(holding).toEqual([])
  })

  it('asks for the password', async () => {
    const user = await accounts.createUser()
    expect((await request(user, 'not the password')).body.code).toBe('WrongPassword')
    expect((await preview(user)).requestedAt).toBeUndefined()
  })

  it('can be cancelled until it is carried out', async () => {
    const user = await accounts.createUser()
    await request(user)
    expect((await preview(user)).dueAt).toEqual(expect.any(String))
    expect((await cancel(user)).status).toBe(204)
    expect((await cancel(user)).body.code).toBe('NoDeletion')
    await carryOut()
    expect(await isStored(user.id)).toBe(true)
  })

  it('counts from the first request', async () => {
    const user = await accounts.createUser()
    const first = await request(user)
    accounts.setClockAhead(HOUR_MS)
    expect((await request(user)).body.dueAt).toBe(first.body.dueAt)
  })

  it('is refused with every reason', async () => {
    const [user, member] = [await accounts.createUser(), await accounts.createUser()]
    await organizationOf(user, [member])
    owned.staking = [{ kind: 'validator', state: 'active', count: 3, effect: 'blocks' }]
    const { status, body } = await request(user)
    expect([status, body.code]).toEqual([409, 'DeletionBlocked'])
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'You are the last owner of "Engines": make another member an owner, or remove the other members.',
      'You have 3 validators in the state active: let them exit first.',
    ])
    expect((await preview(user)).blockers).toHaveLength(2)
  })

  it('is refused while nobody can say what the user has', async () => {
    const user = await accounts.createUser()
    owned.staking = undefined
    expect((await preview(user)).unreachable).toEqual(['staking'])
    const { status, body } = await request(user)
    expect([status, body.code]).toEqual([503, 'ServiceUnreachable'])
  })

  it('waits where a validator was deposited for meanwhile, and goes on when it has exited', async () => {
    const user = await accounts.createUser()
    await request(user)
    owned.staking = [{ kind: 'validator', state: 'active', count: 1, effect: 'blocks' }]
    await carryOut()
    expect((await accounts.call('GET', '/users/me', { token: user.token })).status).toBe(200)
    owned.staking = []
    await runAt(73.2)
    await runAt(73.4)
    expect(await isStored(user.id)).toBe(false)
  })

  it('waits while a change of the address can be undone, which cancels it', async () => {
    const user = await accounts.createUser()
    const email = `${randomUUID()}@example.org`
    await accounts.call('POST', '/users/me/email-changes', { token: user.token, body: { email, password: PASSWORD } })
    await accounts.call('PUT', `/users/${user.id}/email-changes/${await accounts.mailedToken(email)}`)
    const undoToken = await accounts.mailedToken(user.email, 2)
    await accounts.sql.query("UPDATE email_change SET expires_at = expires_at + interval '2 hours' WHERE user_id = $1", [user.id])
    await request({ token: await accounts.signIn(email) })
    await carryOut()
    expect(await isStored(user.id)).toBe(true)
    expect((await accounts.call('DELETE', `/users/${user.id}/email-changes/${undoToken}`)).status).toBe(200)
    expect((await accounts.sql.query('SELECT FROM account_deletion WHERE user_id = $1', [user.id])).rowCount).toBe(0)
  })

  it('waits while an administrator has disabled the user', async () => {
    const user = await accounts.createUser()
    await request(user)
    await accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [user.id])
    await carryOut()
    expect(await isStored(user.id)).toBe(true)
  })

  it('leaves an organization with other owners as it is, and ends the membership for all services', async () => {
    const [owner, member] = [await accounts.createUser(), await accounts.createUser()]
    const organizationId = await organizationOf(owner, [member])
    await request(member)
    expect((await preview(member)).organizations).toEqual([{ id: organizationId, name: 'Engines', effect: 'kept' }])
    await runAt(72.1)
    const changes = await accounts.sql.query(
      "SELECT payload FROM outbox WHERE subject = 'accounts.membership.changed' AND payload->>'userId' = $1 AND payload->>'organizationId' = $2",
      [member.id, organizationId],
    )
    expect(changes.rows.at(-1)?.payload.permissions).toEqual([])
    await runAt(72.3)
    const { rows } = await accounts.sql.query('SELECT user_id FROM member WHERE organization_id = $1', [organizationId])
    expect(rows).toEqual([{ user_id: owner.id }])
  })

  it('counts what organizations without other members own, and leaves it to the personal one before it is deleted', async () => {
    const user = await accounts.createUser()
    const organizationId = await organizationOf(user)
    const personal = personalOrganizationOf(user.id)
    await request(user)
    expect(counted.nodes).toEqual([personal, organizationId])
    await runAt(72.1)
    const { rows } = await accounts.sql.query(
      "SELECT payload FROM outbox WHERE subject = 'accounts.organization.dissolved' AND payload->>'organizationId' = $1",
      [organizationId],
    )
    expect(rows).toEqual([{ payload: { organizationId, heirId: personal, dissolvedAt: expect.any(String) } }])
  })

  it('does not dissolve an organization that was left by the others since it was counted', async () => {
    const [user, other] = [await accounts.createUser(), await accounts.createUser()]
    const organizationId = await organizationOf(other, [user])
    const departures = accounts.service.app.get(DeparturesService, { strict: false })
    const previewed = await departures.preview(user.id)
    await accounts.sql.query("UPDATE member SET roles = '{}' WHERE user_id = $1", [other.id])
    const unitOfWork = accounts.service.app.get(UnitOfWorkService, { strict: false })
    await expect(unitOfWork.run((tx, now) => departures.leaveAll(tx, user.id, previewed, now))).rejects.toThrow('have changed')
    expect((await accounts.sql.query('SELECT FROM organization WHERE id = $1', [organizationId])).rowCount).toBe(1)
  })

  it('takes effect once, whoever does it at the same time', async () => {
    const user = await accounts.createUser()
    await request(user)
    await Promise.all([runAt(72.1), runAt(72.1), runAt(72.1)])
    await Promise.all([runAt(72.3), runAt(72.3), runAt(72.3)])
    expect(await announcements(user.id)).toHaveLength(1)
    expect(await isStored(user.id)).toBe(false)
  })

  it('is done from the start again where it was interrupted before its transaction', async () => {
    const user = await accounts.createUser()
    await request(user)
    await runAt(72.1)
    await accounts.sql.query(`CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`)
    await accounts.sql.query('CREATE TRIGGER broken BEFORE DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION broken()')
    await expect(runAt(72.3)).rejects.toThrow('1 of 1 accounts could not be deleted')
    expect([await isStored(user.id), await announcements(user.id)]).toEqual([true, []])
    await accounts.sql.query('DROP TRIGGER broken ON "user"')
    await runAt(72.3)
    expect([await isStored(user.id), (await announcements(user.id)).length]).toEqual([false, 1])
  })

  it('is announced again every day for 30 days, to services that were down or restored, and erases late activity', async () => {
    const user = await accounts.createUser()
    await request(user)
    await carryOut()
    await accounts.sql.query(
      "INSERT INTO event (id, user_id, service, input, output, service_data, created_at) VALUES (gen_random_uuid(), $1, 'nodes', '{}', '{}', '{}', now())",
      [user.id],
    )
    await runAt(80)
    expect(await announcements(user.id)).toHaveLength(1)
    await runAt(72.3 + 25)
    expect(await announcements(user.id)).toHaveLength(2)
    expect((await accounts.sql.query('SELECT FROM event WHERE user_id = $1', [user.id])).rowCount).toBe(0)
    await runAt(72.3 + 31 * 24)
    expect(await announcements(user.id)).toHaveLength(2)
  })
})
