import { randomUUID } from 'node:crypto'
import { insertValidator } from './rewards-schema.js'
import { type StakingUnderTest, startStakingUnderTest } from './staking-under-test.js'

const PROMPTLY_MS = 2_000

let staking: StakingUnderTest
beforeAll(async () => {
  staking = await startStakingUnderTest()
}, 120_000)
afterAll(() => staking.stop())

describe('a billing report that is still being sent is broken off within two seconds', () => {
  it.each<[string, (seat: Seat) => void]>([
    [
      'the reader leaves the organization',
      ({ membership }) => staking.accounts.memberships.splice(staking.accounts.memberships.indexOf(membership), 1),
    ],
    ['the reader loses the role', ({ membership }) => membership.roles.splice(0, 1, 'member')],
    [
      'the reader changes to another organization',
      ({ membership }) => Object.assign(membership, { organization: { id: `org-${randomUUID()}`, name: 'Other' } }),
    ],
    ['the reader signs out', ({ session }) => staking.accounts.revoke({ kind: 'session', id: session, epoch: 1 })],
    ['the reader is disabled', ({ user }) => staking.accounts.revoke({ kind: 'user', id: user, epoch: 4 })],
  ])('when %s', async (_, end) => {
    const [seat, colleague] = await endlessOrganization()
    const [report, other] = [await openReport(seat), await openReport(colleague)]
    const begun = Date.now()
    end(seat)
    await expect(untilDone(report)).rejects.toThrow('terminated')
    expect(Date.now() - begun).toBeLessThan(PROMPTLY_MS)
    expect((await other.read()).done).toBe(false)
    await other.cancel()
  })
})

it('whoever leaves an organization or loses the role is refused the next report at once', async () => {
  const [first, second] = await endlessOrganization()
  staking.accounts.endlessOrganizations.clear()
  for (const seat of [first, second]) expect((await requestReport(seat)).status).toBe(200)
  staking.accounts.memberships.splice(staking.accounts.memberships.indexOf(first.membership), 1)
  second.membership.roles.splice(0, 1, 'member')
  for (const seat of [first, second]) expect((await requestReport(seat)).status).toBe(403)
})

interface Seat {
  readonly user: string
  readonly session: string
  readonly token: string
  readonly membership: StakingUnderTest['accounts']['memberships'][number]
}

/** Two members who may read the report; that about them has no end. */
async function endlessOrganization(): Promise<[Seat, Seat]> {
  const organization = { id: `org-${randomUUID()}`, name: 'Endless' }
  staking.accounts.endlessOrganizations.add(organization.id)
  const seats: [Seat, Seat] = [seatIn(organization), seatIn(organization)]
  const serial = Number((await staking.sql.query('SELECT count(*) FROM staking.validator')).rows[0].count) + 1
  const validator = { serial, pubkey: Buffer.alloc(48, serial), userId: seats[1].user, createdAt: new Date('2026-01-01') }
  await insertValidator(staking.sql, { ...validator, feeAddress: Buffer.alloc(20), withdrawalCredentials: Buffer.alloc(32) })
  return seats
}

function seatIn(organization: { id: string; name: string }): Seat {
  const { issuer, memberships } = staking.accounts
  const [user, session] = [`user-${randomUUID()}`, `session-${randomUUID()}`]
  const membership: Seat['membership'] = {
    userId: user,
    email: `${user}@example.org`,
    displayName: 'Ada',
    organization,
    roles: ['billing'],
  }
  memberships.push(membership)
  return { user, session, membership, token: issuer.account({ payload: { sub: user, sid: session } }) }
}

function requestReport({ token }: Seat): Promise<Response> {
  const url = `${staking.service.url}/staking/ethereum/billing/report?fromDate=2026-01-01&toDate=2026-01-02`
  return fetch(url, { headers: { authorization: `Bearer ${token}` } })
}

async function openReport(seat: Seat): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { status, body } = await requestReport(seat)
  expect(status).toBe(200)
  if (!body) throw new Error('The report has no body.')
  const reader = body.getReader()
  await reader.read()
  return reader
}

async function untilDone(report: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await report.read()).done);
}
