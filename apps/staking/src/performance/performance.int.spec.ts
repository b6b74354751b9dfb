import type { Broadcasts } from '@trestle/messaging/broadcasts'
import type { Outbox } from '@trestle/messaging/outbox'
import { Problem } from '@trestle/problem/problem'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import type { Pool } from 'pg'
import { epochsOf, runOf } from '../../test/bookkeeper.js'
import { ModelChain } from '../../test/model-chain.js'
import { randomOf } from '../../test/random.js'
import { insertValidator, rewardsSchema } from '../../test/rewards-schema.js'
import { stub } from '../../test/stub.js'
import type { ChainsService } from '../chains/chains.service.js'
import { EarningsRepository } from '../rewards/earnings.repository.js'
import { EarningsService } from '../rewards/earnings.service.js'
import { LedgerRepository } from '../rewards/ledger.repository.js'
import { ValidatorDaysRepository } from '../rewards/validator-days.repository.js'
import { OwnedValidatorsService } from '../validators/owned-validators.service.js'
import { ValidatorsRepository } from '../validators/validators.repository.js'
import { PerformanceService } from './performance.service.js'

const PUBKEY = Buffer.alloc(48, 7)
const OWNED = { organizationId: 'org-1', chain: 'dev', pubkey: PUBKEY.toString('hex') }
const WEI_PER_GWEI = 1_000_000_000n

let schema: Awaited<ReturnType<typeof rewardsSchema>>
let pool: Pool
let model: ModelChain
let performance: PerformanceService

beforeAll(async () => {
  schema = await rewardsSchema()
  pool = schema.pool
  model = new ModelChain(randomOf(1))
  const validator = {
    serial: 1,
    pubkey: PUBKEY,
    userId: 'user-1',
    createdAt: new Date('2026-11-01T04:00:00Z'),
    feeAddress: Buffer.alloc(20),
  }
  const withdrawalCredentials = Buffer.concat([Buffer.of(1), Buffer.alloc(31, 9).fill(0, 0, 11)])
  await insertValidator(pool, { ...validator, withdrawalCredentials })
  model.deposit(PUBKEY, withdrawalCredentials)
  for (let epoch = 0; epoch < 21; epoch++) model.advance()
  const run = await runOf(pool, model.chains())
  while (await epochsOf(model.chains(), new LedgerRepository(pool, schema.prisma)).bookNext(run));
  await run.lease.release()
  const clock = new ManualClock()
  clock.at = new Date('2026-11-05T00:00:00Z')
  const earnings = new EarningsService(new EarningsRepository(pool, schema.prisma), new ValidatorDaysRepository(pool))
  const owned = new OwnedValidatorsService(new ValidatorsRepository(schema.prisma, stub<Broadcasts>({}), stub<Outbox>({})), knowing('dev'))
  performance = new PerformanceService(knowing('dev'), owned, earnings, clock)
})
afterAll(() => schema.drop())

describe(PerformanceService, () => {
  it('sums the sealed days and the open one', async () => {
    const happened = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((day) => model.on(0, day))
    expect(await performance.get(OWNED, {})).toMatchObject({
      from: '2026-10-07',
      to: '2026-11-05',
      consensusRewards: String(happened.reduce((sum, { rewards }) => sum + rewards, 0n) * WEI_PER_GWEI),
      consensusPenalties: String(happened.reduce((sum, { penalties }) => sum + penalties, 0n) * WEI_PER_GWEI),
      executionRewards: '0',
      executionPenalties: '0',
    })
  })

  it('returns the rate in percent of the stake per year', async () => {
    const { consensusRewards, consensusPenalties, consensusApr, executionApr, apr } = await performance.get(OWNED, {})
    const stake = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].reduce((sum, day) => sum + model.on(0, day).stake, 0n)
    const net = Number(BigInt(consensusRewards) - BigInt(consensusPenalties)) / 1e18
    const years = (Number(stake) * 4 * 3600) / 31_557_600
    expect(consensusApr).toBeCloseTo((100 * net) / years, 3)
    expect({ executionApr, apr }).toEqual({ executionApr: 0, apr: consensusApr })
  })

  it('returns the requested days only', async () => {
    const { consensusRewards } = await performance.get(OWNED, { from: '2026-11-03', to: '2026-11-03' })
    expect(consensusRewards).toBe(String(model.on(0, '2026-11-03').rewards * WEI_PER_GWEI))
  })

  it('returns each day, with the same sums', async () => {
    const days = await performance.days(OWNED, {})
    expect(days.map(({ date, final }) => [date, final])).toEqual([
      ['2026-11-01', true],
      ['2026-11-02', true],
      ['2026-11-03', true],
      ['2026-11-04', false],
    ])
    const { consensusRewards, consensusPenalties } = await performance.get(OWNED, {})
    const sum = (of: (day: (typeof days)[number]) => string) => String(days.reduce((all, day) => all + BigInt(of(day)), 0n))
    expect([sum((day) => day.consensusRewards), sum((day) => day.consensusPenalties)]).toEqual([consensusRewards, consensusPenalties])
    expect(await performance.days(OWNED, { from: '2026-11-03', to: '2026-11-03' })).toEqual([days[2]])
    expect(await performance.days(OWNED, { from: '2025-01-01', to: '2025-12-31' })).toEqual([])
  })

  it.each([
    ['of another organization', { ...OWNED, organizationId: 'org-2' }, 'UnknownValidator'],
    ['of another chain', { ...OWNED, chain: 'mainnet' }, 'UnknownChain'],
    ['that was never made', { ...OWNED, pubkey: 'ab'.repeat(48) }, 'UnknownValidator'],
  ])('refuses a validator %s', async (_, owned, code) => {
    await expect(performance.get(owned, {})).rejects.toMatchObject({ code, status: 404 })
    await expect(performance.days(owned, {})).rejects.toMatchObject({ code, status: 404 })
  })

  it('refuses a range that ends before it begins', async () => {
    await expect(performance.get(OWNED, { from: '2026-11-02', to: '2026-11-01' })).rejects.toMatchObject({ code: 'InvalidRange' })
  })

  it('refuses more days than a year has', async () => {
    await expect(performance.days(OWNED, { from: '2025-11-01', to: '2026-11-02' })).rejects.toMatchObject({ code: 'InvalidRange' })
    await expect(performance.days(OWNED, { from: '2025-11-01', to: '2026-11-01' })).resolves.toHaveLength(1)
  })

  it('returns what a perfect validator earns on the chain', async () => {
    // 8,000 gwei an epoch of four hours are 54 of 64 parts.
    const percent = (8e-6 * (64 / 54) * (31_557_600 / 14_400) * 100) / 32
    const stats = await performance.stats('dev')
    expect(stats).toMatchObject({ chain: 'dev', executionApr: 0, apr: stats.consensusApr })
    expect(stats.consensusApr).toBeCloseTo(percent, 3)
  })
})

function knowing(name: string): ChainsService {
  const settings = (asked: string) => {
    if (asked !== name) throw new Problem('unknown', 'UnknownChain', 'There is no such chain here.')
    return model.chain.settings
  }
  return stub<ChainsService>({ settings })
}
