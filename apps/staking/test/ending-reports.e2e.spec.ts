import { randomUUID } from 'node:crypto'
import { ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { type StakingUnderTest, startStakingUnderTest } from './staking-under-test.js'

const PROMPTLY_MS = 2_000
// So many users with a validator each that a report takes longer than the tests wait.
const MANY = 6_000

// What creating validators leaves, for an organization.
const INSERT = `
  INSERT INTO staking.validator (chain, pubkey, user_id, organization_id, region, withdrawal_credentials, deposit_data, created_at, fee_address)
  SELECT 'dev', decode(lpad(to_hex(n), 96, '0'), 'hex'), 'user-' || gen_random_uuid(), $1, 'here', decode(repeat('00', 32), 'hex'),
         decode(repeat('00', 420), 'hex'), '2026-01-01', decode(repeat('00', 20), 'hex')
    FROM generate_series(1, $2) AS n`

const LARGE = `org-${randomUUID()}`

let staking: StakingUnderTest
beforeAll(async () => {
  staking = await startStakingUnderTest()
  await staking.sql.query(INSERT, [LARGE, MANY])
}, 120_000)
afterAll(() => staking.stop())

describe('a billing report that is still being sent is broken off within two seconds', () => {
  it.each<[string, (seat: Seat) => unknown]>([
    ['the reader leaves the organization', (seat) => grant(seat, LARGE, [])],
    ['the reader loses the role', (seat) => grant(seat, LARGE, ROLE_PERMISSIONS.member)],
    [
      'the reader changes to another organization',
      async (seat) => {
        await grant(seat, `org-${randomUUID()}`, ROLE_PERMISSIONS.billing)
        await grant(seat, LARGE, [])
      },
    ],
    ['the reader signs out', ({ session }) => staking.accounts.revoke({ kind: 'session', id: session, epoch: 1 })],
    ['the reader is disabled', ({ user }) => staking.accounts.revoke({ kind: 'user', id: user, epoch: 4 })],
  ])('when %s', async (_, end) => {
    const [seat, colleague] = await readersOf(LARGE)
    const [report, other] = [await openReport(seat), await openReport(colleague)]
    const begun = Date.now()
    await end(seat)
    await expect(untilDone(report)).rejects.toThrow('terminated')
    expect(Date.now() - begun).toBeLessThan(PROMPTLY_MS)
    expect((await other.read()).done).toBe(false)
    await other.cancel()
  })
})

it('whoever leaves an organization or loses the role is refused the next report at once', async () => {
  const organization = `org-${randomUUID()}`
  const [first, second] = await readersOf(organization)
  await grant(first, organization, [])
  await grant(second, organization, ROLE_PERMISSIONS.member)
  for (const seat of [first, second])
    await eventually(async () => (await requestReport(seat)).status === 403 || undefined, 'the report is refused', PROMPTLY_MS)
})

interface Seat {
  readonly user: string
  readonly session: string
  readonly token: string
}

/** Two members who may read the report of the organization, and are known to. */
async function readersOf(organizationId: string): Promise<[Seat, Seat]> {
  const seats: [Seat, Seat] = [newSeat(), newSeat()]
  for (const seat of seats) {
    await grant(seat, organizationId, ROLE_PERMISSIONS.billing)
    await eventually(async () => (await requestReport(seat, 'dry')).status === 400 || undefined, 'the reader is known')
  }
  return seats
}

function newSeat(): Seat {
  const [user, session] = [`user-${randomUUID()}`, `session-${randomUUID()}`]
  return { user, session, token: staking.accounts.issuer.account({ payload: { sub: user, sid: session } }) }
}

function grant({ user }: Seat, organizationId: string, permissions: readonly string[]): Promise<void> {
  return staking.accounts.grant({ userId: user, organizationId, permissions: [...permissions] })
}

/** With `dry`, one that only a reader is told has an invalid range. */
function requestReport({ token }: Seat, dry?: 'dry'): Promise<Response> {
  const from = dry ? '2026-01-03' : '2026-01-01'
  const url = `${staking.service.url}/staking/ethereum/billing/report?fromDate=${from}&toDate=2026-01-02`
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
