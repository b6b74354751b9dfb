import { BillingEntry } from '@trestle/contracts/staking/reports'
import type { Pool } from 'pg'
import { BillingUnderTest, FEE_BASIS_POINTS, readerOf } from '../../test/billing-under-test.js'
import { randomOf } from '../../test/random.js'
import { insertValidator, rewardsSchema } from '../../test/rewards-schema.js'
import { BillingService } from './billing.service.js'

const DAYS = Array.from({ length: 10 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`)
const RANGE = { fromDate: '2026-11-03', toDate: '2026-11-08' }
const GWEI = 1_000_000_000n

interface Day {
  serial: number
  day: string
  rewards: bigint
  penalties: bigint
  rounding: bigint
  executionWei: bigint
  active: number
}

let schema: Awaited<ReturnType<typeof rewardsSchema>>
let pool: Pool
let billing: BillingUnderTest

beforeAll(async () => {
  schema = await rewardsSchema()
  pool = schema.pool
})
afterAll(() => schema.drop())
beforeEach(async () => {
  await pool.query('TRUNCATE validator, reward_cursor, membership, billing_account, billing_name CASCADE')
  await pool.query('UPDATE membership_cursor SET as_of = NULL')
  billing = new BillingUnderTest(schema)
  for (const user of [...users, 'user-c']) billing.accounts.join(user, 'org-1')
  await billing.read()
})

describe(BillingService, () => {
  it.each([1, 2, 3])('bills what a naive calculation of the same days yields, to the wei (%i)', async (seed) => {
    const days = await randomDays(seed)
    const entries = BillingEntry.array().parse(JSON.parse(await report('application/json')))
    expect(entries.map(({ user }) => user)).toEqual(users)
    for (const entry of entries) {
      const [chain] = entry.validatorsPerChain
      const serials = serialsOf(entry.user)
      expect(chain?.totalCurrentValidators).toBe(serials.length)
      const bills = serials.map((serial) => reckon(days.filter((day) => day.serial === serial)))
      for (const name of ['rewards', 'penalties', 'fees', 'rewardsAfterFees'] as const)
        expect(BigInt(chain![name])).toBe(bills.reduce((sum, bill) => sum + bill[name], 0n))
      const weighted = bills.reduce((sum, bill) => sum + bill.activeDays, 0) / 6
      expect(chain?.totalWeightedValidators).toBe(Math.round(weighted))
    }
  })

  it('returns the same bytes again', async () => {
    await randomDays(4)
    expect(await report('text/csv')).toBe(await report('text/csv'))
  })

  it('has the same validators as CSV', async () => {
    await randomDays(5)
    const entries = JSON.parse(await report(undefined)) as BillingEntry[]
    const rows = (await report('text/csv')).trimEnd().split('\r\n').slice(1)
    const keys = entries.flatMap(({ validatorsPerChain }) =>
      validatorsPerChain.flatMap((chain) => [...chain.validatorsActive, ...chain.validatorsInactive].map(({ pubkey }) => pubkey)),
    )
    expect(rows.map((row) => row.split(',')[13])).toEqual(keys)
  })

  it('counts a removed validator, and none that was created later', async () => {
    await randomDays(6)
    await pool.query('UPDATE validator SET removed_at = now() WHERE serial = 1')
    await insert(40, 'user-a', '2026-11-09T00:00:00Z')
    const [first] = JSON.parse(await report('application/json')) as BillingEntry[]
    expect(first?.validatorsPerChain[0]?.totalCurrentValidators).toBe(serialsOf('user-a').length)
  })

  it('is an empty list for an organization without validators, or a header alone', async () => {
    expect(await report('application/json')).toBe('[]')
    expect((await report('text/csv')).split('\r\n').length).toBe(2)
  })

  it.each([
    ['NotAcceptable', RANGE, 'text/html'],
    ['InvalidRange', { fromDate: '2026-11-09', toDate: '2026-11-08' }, 'text/csv'],
    ['InvalidRange', { fromDate: '2025-11-01', toDate: '2026-11-08' }, 'text/csv'],
  ])('refuses with %s before the first byte', async (code, range, accept) => {
    await expect(billing.service.open(readerOf('user-a'), range, accept)).rejects.toMatchObject({ code })
  })
})

const users = ['user-a', 'user-b']

/** As a bookkeeper would, with pencil and paper. */
function reckon(days: readonly Day[]) {
  let rewards = 0n
  let penalties = 0n
  for (const { day, ...of } of days.filter(({ day }) => day >= RANGE.fromDate && day <= RANGE.toDate)) {
    rewards += of.rewards * GWEI + of.executionWei + (of.rounding > 0n ? of.rounding * GWEI : 0n)
    penalties += of.penalties * GWEI - (of.rounding < 0n ? of.rounding * GWEI : 0n)
  }
  const activeDays = days.filter(({ day, active }) => active > 0 && day >= RANGE.fromDate && day <= RANGE.toDate).length
  if (activeDays === 0) return { rewards: 0n, penalties: 0n, fees: 0n, rewardsAfterFees: 0n, activeDays }
  const gain = rewards - penalties
  const fees = gain > 0n ? (gain * BigInt(FEE_BASIS_POINTS)) / 10_000n : 0n
  return { rewards, penalties, fees, rewardsAfterFees: gain - fees, activeDays }
}

async function randomDays(seed: number): Promise<Day[]> {
  const random = randomOf(seed)
  const gwei = (below: number) => BigInt(Math.floor(random() * below))
  const days: Day[] = []
  for (const serial of users.flatMap(serialsOf)) {
    await insert(serial, users.find((user) => serialsOf(user).includes(serial))!, '2026-10-01T00:00:00Z')
    for (const day of DAYS.filter(() => random() < 0.8)) {
      const amounts = {
        rewards: gwei(3_000_000),
        penalties: gwei(2_000_000),
        rounding: gwei(20) - 10n,
        executionWei: gwei(1e9) * gwei(1e7),
      }
      days.push({ serial, day, active: serial % 3 === 0 ? 0 : Math.floor(random() * 3), ...amounts })
    }
  }
  for (const { serial, day, rewards, penalties, rounding, executionWei, active } of days)
    await pool.query('INSERT INTO validator_day VALUES ($1, $2, 0, $3, 32, false, 0, 0, $4, $5, $6, 0, $7, $7 * 32, $8)', [
      ...[serial, day, rewards - penalties + rounding, rewards, penalties, rounding, active, executionWei],
    ])
  return days
}

function serialsOf(user: string): number[] {
  return user === 'user-a' ? [1, 2, 3, 1001] : [4, 5, 6]
}

function insert(serial: number, userId: string, createdAt: string): Promise<void> {
  const pubkey = Buffer.alloc(48, `of ${serial} `)
  const bytes = { feeAddress: Buffer.alloc(20), withdrawalCredentials: Buffer.alloc(32) }
  return insertValidator(pool, { serial, pubkey, userId, createdAt: new Date(createdAt), ...bytes })
}

function report(accept: string | undefined): Promise<string> {
  return billing.report('user-a', RANGE, accept)
}
