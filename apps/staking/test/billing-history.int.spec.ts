import { BillingEntry } from '@trestle/contracts/staking/reports'
import type { Outbox } from '@trestle/messaging/outbox'
import { ValidatorOwnersRepository } from '../src/ownership/validator-owners.repository.js'
import { addDays } from '../src/rewards/days.js'
import { BillingUnderTest } from './billing-under-test.js'
import { randomOf } from './random.js'
import { insertValidator, rewardsSchema } from './rewards-schema.js'
import { stub } from './stub.js'

// Members come and go, validators move, names change: what is over stays as it is.

const DAY_MS = 86_400_000
const MONTH = { fromDate: '2026-11-01', toDate: '2026-11-30' }

let schema: Awaited<ReturnType<typeof rewardsSchema>>
let billing: BillingUnderTest
let owners: ValidatorOwnersRepository

beforeAll(async () => {
  schema = await rewardsSchema()
  owners = new ValidatorOwnersRepository(schema.pool, stub<Outbox>({ add: async () => {}, wake: () => {} }))
})
afterAll(() => schema.drop())
beforeEach(async () => {
  await schema.pool.query('TRUNCATE validator, reward_cursor, membership, billing_account, billing_name, dissolved_organization CASCADE')
  await schema.pool.query('UPDATE membership_cursor SET as_of = NULL')
  billing = new BillingUnderTest(schema)
  billing.clock.at = new Date('2026-11-01T12:00:00Z')
})

describe('the bill of last month', () => {
  /** Ann and Ben are in One since ever, Ann with a validator of hers, Ben with one of One's, and it is December. */
  beforeEach(async () => {
    for (const user of ['user-ann', 'user-ben']) billing.accounts.join(user, 'org-one')
    await billing.read()
    await create(1, 'user-ann')
    await create(2, 'user-ben', 'org-one')
    for (const day of daysOf(MONTH)) for (const serial of [1, 2]) await seal(serial, day)
    billing.clock.at = new Date('2026-11-30T12:00:00Z')
    await billing.names.read()
    billing.clock.at = new Date('2026-12-03T12:00:00Z')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['somebody joins with validators', () => create(3, 'user-cat').then(() => join('user-cat', 'org-one'))],
    ['a member leaves', () => leave('user-ann', 'org-one')],
    ['its creator leaves', () => leave('user-ben', 'org-one')],
    [
      'a member joins another organization, and leaves this one',
      () => join('user-ann', 'org-two').then(() => leave('user-ann', 'org-one')),
    ],
    ['a member leaves and comes back', () => leave('user-ann', 'org-one').then(() => join('user-ann', 'org-one'))],
    ['a validator moves', () => move(2, 'org-one', 'org-two')],
    ['the organization is dissolved', () => dissolve('org-one', 'org-ann')],
    ['members change their names and addresses', () => rename('user-ann', 'Anna')],
    ['the organization is renamed', () => rename('org-one', 'Uno')],
    ['a member is deleted', () => leave('user-ann', 'org-one').then(() => rename('user-ann', ''))],
    ['accounts tells all of it again', () => billing.billed.read()],
    ['a clock goes back a month', clockGoesBack],
  ])('stays byte-equal when %s', async (_, change) => {
    const [json, csv] = [await bill('org-one', MONTH), await bill('org-one', MONTH, 'text/csv')]
    expect(csv.split('\r\n')).toHaveLength(4)
    await change()
    expect(await bill('org-one', MONTH)).toBe(json)
    await billing.read()
    billing.clock.at = new Date('2026-12-05T12:00:00Z')
    await billing.read()
    expect([await bill('org-one', MONTH), await bill('org-one', MONTH, 'text/csv')]).toEqual([json, csv])
  })

  it('names people as they were on its last day', async () => {
    await rename('user-ann', 'Anna')
    await billing.names.read()
    const november = entriesOf(await bill('org-one', MONTH))
    const december = entriesOf(await bill('org-one', { fromDate: '2026-12-01', toDate: '2026-12-03' }))
    expect(november.map(({ userName }) => userName)).toEqual(['user-ann', 'user-ben'])
    expect(december.map(({ userName, userEmail }) => [userName, userEmail])).toEqual([
      ['Anna', 'Anna@example.org'],
      ['user-ben', 'user-ben@example.org'],
    ])
  })
})

it('a validator that moves in the middle of a month is on two bills, and its days once', async () => {
  await billing.read()
  await create(1, 'user-ann', 'org-one')
  for (const day of daysOf({ ...MONTH, toDate: '2026-11-10' })) await seal(1, day)
  billing.clock.at = new Date('2026-11-11T00:00:00Z')
  await move(1, 'org-one', 'org-two')
  for (const day of daysOf({ ...MONTH, fromDate: '2026-11-11' })) await seal(1, day)
  billing.clock.at = new Date('2026-12-03T00:00:00Z')
  const [one, two] = [activeOf(await bill('org-one', MONTH)), activeOf(await bill('org-two', MONTH))]
  expect([one[0]?.activeDays, two[0]?.activeDays]).toEqual([10, 20])
  expect([one[0]?.runningDays, two[0]?.runningDays]).toEqual([10, 20])
  const whole = daysOf(MONTH).reduce((sum, day) => sum + rewardOf(1, day), 0n)
  expect(BigInt(one[0]?.rewards ?? 0) + BigInt(two[0]?.rewards ?? 0)).toBe(whole)
})

it('a bill waits until the members have been read', async () => {
  await expect(bill('org-one', MONTH)).rejects.toMatchObject({ code: 'MembershipsUnknown' })
})

it('a change before the first reading is left to it', async () => {
  await billing.billed.record([billing.accounts.join('user-ann', 'org-one')])
  expect((await schema.pool.query('SELECT FROM billing_account')).rowCount).toBe(0)
  await billing.billed.read()
  expect(await billing.billed.findBilled('org-ann')).toBe('org-one')
})

it('memberships may arrive in any order, and twice', async () => {
  await billing.read()
  const [joined, left] = [billing.accounts.join('user-ann', 'org-one'), billing.accounts.leave('user-ann', 'org-one')]
  for (const membership of [left, joined, left, joined]) await billing.billed.record([membership])
  expect(await billing.billed.findBilled('org-ann')).toBeUndefined()
})

it.each([1, 2, 3, 4, 5])(
  'every day is on the bill of who owned it at its end, and on one only, whoever comes and goes (%i)',
  async (seed) => {
    const random = randomOf(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const people = ['ann', 'ben', 'cat', 'dan']
    const shared = ['org-one', 'org-two', 'org-three']
    /** As a bookkeeper would: each day who has what, and where each person was first. */
    const joined = new Map(people.map((person) => [person, [] as string[]]))
    const owner = new Map<number, string>()
    const book: { serial: number; day: string; on: string; rewards: bigint }[] = []
    const kept: { organization: string; range: typeof MONTH; bytes: string }[] = []

    for (const person of people) if (random() < 0.5) joined.set(person, [pick(shared)])
    for (const [person, [first]] of joined) if (first) billing.accounts.join(`user-${person}`, first)
    await billing.read()
    let serial = 0
    for (const day of daysOf(MONTH)) {
      for (let changes = Math.floor(random() * 4); changes > 0; changes--) {
        billing.clock.at = new Date(billing.clock.at.getTime() + 1000)
        const [person, organization, dice] = [pick(people), pick(shared), random()]
        const places = joined.get(person) ?? []
        if (dice < 0.3 && !places.includes(organization)) {
          places.push(organization)
          await join(`user-${person}`, organization)
        } else if (dice < 0.5 && places.length > 0) {
          const [left] = places.splice(Math.floor(random() * places.length), 1)
          await leave(`user-${person}`, left ?? '')
        } else if (dice < 0.7) {
          serial++
          owner.set(serial, random() < 0.5 ? `org-${person}` : organization)
          await create(serial, `user-${person}`, owner.get(serial))
        } else if (dice < 0.9 && serial > 0) {
          const moved = 1 + Math.floor(random() * serial)
          const to = random() < 0.3 ? `org-${person}` : organization
          await move(moved, owner.get(moved) ?? '', to)
          owner.set(moved, to)
        } else await rename(pick([`user-${person}`, organization]), `name ${random()}`)
      }
      for (const [id, of] of owner) {
        const on = joined.get(of.replace('org-', ''))?.[0] ?? of
        await seal(id, day)
        book.push({ serial: id, day, on, rewards: rewardOf(id, day) })
      }
      billing.clock.at = new Date(Date.parse(day) + DAY_MS + 1000)
      if (random() < 0.3) await billing.read()
      if (random() < 0.5) {
        const range = { fromDate: pick(daysOf({ ...MONTH, toDate: day })), toDate: day }
        const organization = pick(shared)
        kept.push({ organization, range, bytes: await bill(organization, range) })
      }
    }
    for (const { organization, range, bytes } of kept) expect(await bill(organization, range)).toBe(bytes)
    for (const organization of [...shared, ...people.map((person) => `org-${person}`)]) {
      const bills = activeOf(await bill(organization, MONTH))
      const own = book.filter(({ on }) => on === organization)
      expect(new Map(bills.map(({ pubkey, activeDays, rewards }) => [pubkey, [activeDays, BigInt(rewards)]]))).toEqual(
        new Map(
          [...new Set(own.map((each) => each.serial))].map((id) => {
            const days = own.filter((each) => each.serial === id)
            return [keyOf(id).toString('hex'), [days.length, days.reduce((sum, { rewards }) => sum + rewards, 0n)]]
          }),
        ),
      )
    }
  },
)

function daysOf({ fromDate, toDate }: typeof MONTH): string[] {
  const days: string[] = []
  for (let day = fromDate; day <= toDate; day = addDays(day, 1)) days.push(day)
  return days
}

/** In wei. */
function rewardOf(serial: number, day: string): bigint {
  return (BigInt(serial) * 1000n + BigInt(day.slice(8))) * 1_000_000_000n
}

function keyOf(serial: number): Buffer {
  return Buffer.alloc(48, `validator ${serial} `)
}

async function create(serial: number, userId: string, organizationId?: string): Promise<void> {
  const bytes = { pubkey: keyOf(serial), feeAddress: Buffer.alloc(20), withdrawalCredentials: Buffer.alloc(32) }
  await insertValidator(schema.pool, { serial, userId, organizationId, createdAt: billing.clock.now(), ...bytes })
}

async function seal(serial: number, day: string): Promise<void> {
  const gwei = rewardOf(serial, day) / 1_000_000_000n
  await schema.pool.query('INSERT INTO validator_day VALUES ($1, $2, 0, $3, 32, false, 0, 0, $3, 0, 0, 0, 1, 32, 0)', [serial, day, gwei])
}

async function join(userId: string, organizationId: string): Promise<void> {
  await billing.billed.record([billing.accounts.join(userId, organizationId)])
}

async function leave(userId: string, organizationId: string): Promise<void> {
  await billing.billed.record([billing.accounts.leave(userId, organizationId)])
}

async function move(serial: number, from: string, to: string): Promise<void> {
  const validator = { serial, chain: 'dev', pubkey: keyOf(serial).toString('hex') }
  await owners.transfer({ ...validator, from, to }, 'user-ann', billing.clock.now())
}

async function dissolve(organizationId: string, heirId: string): Promise<void> {
  const now = billing.clock.now()
  for (const user of ['user-ann', 'user-ben']) await leave(user, organizationId)
  await owners.inherit({ organizationId, heirId, dissolvedAt: now.toISOString() }, now)
}

/** An empty name deletes. */
async function rename(id: string, name: string): Promise<void> {
  billing.accounts.names.set(id, name)
}

function bill(organizationId: string, range: typeof MONTH, accept?: string): Promise<string> {
  return billing.report('user-reader', range, accept, organizationId)
}

function entriesOf(json: string): BillingEntry[] {
  return BillingEntry.array().parse(JSON.parse(json))
}

function activeOf(json: string) {
  return entriesOf(json).flatMap(({ validatorsPerChain }) => validatorsPerChain.flatMap(({ validatorsActive }) => validatorsActive))
}

/** To a time in November, when all of it is sealed; and is set right. */
async function clockGoesBack(): Promise<void> {
  await schema.pool.query("INSERT INTO reward_cursor (chain, next_epoch, open_day, epoch_ms) VALUES ('dev', 1, '2026-12-03', 1)")
  billing.clock.at = new Date('2026-11-02T00:00:00Z')
  await rename('user-ben', 'Benedict')
  await billing.names.read()
  await leave('user-ann', 'org-one')
  await move(2, 'org-one', 'org-two')
  billing.clock.at = new Date('2026-12-03T12:00:00Z')
}
