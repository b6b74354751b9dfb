import type { Pool } from 'pg'
import { epochsOf, runOf } from '../../test/bookkeeper.js'
import { ModelChain } from '../../test/model-chain.js'
import { randomOf } from '../../test/random.js'
import { insertValidator, rewardsSchema } from '../../test/rewards-schema.js'
import { LedgerRepository } from './ledger.repository.js'
import { describeDay } from './validator-day.js'
import { ValidatorDaysRepository } from './validator-days.repository.js'

// Of different pieces.
const SERIALS = [1, 1000]
const ALL = { from: '2026-01-01', to: '2026-12-31' }
const GWEI = 1_000_000_000n

let schema: Awaited<ReturnType<typeof rewardsSchema>>
let pool: Pool
beforeEach(async () => {
  schema = await rewardsSchema()
  pool = schema.pool
})
afterEach(() => schema.drop())

describe(ValidatorDaysRepository, () => {
  it.each([1, 2])("returns each day's rewards, penalties and duties of a validator (%i)", async (seed) => {
    const model = await lived(seed)
    await bookAll(model)
    for (const serial of SERIALS) {
      let balance = 0n
      const days = await daysOf(serial)
      expect(days.map(({ date }) => date)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'])
      for (const { date, ...day } of days) {
        const { deposits, withdrawals, rewards, penalties, active } = model.on(indexOf(model, serial), date)
        balance += (deposits - withdrawals + rewards - penalties) * GWEI
        expect(day).toMatchObject({
          balance: String(balance),
          consensusRewards: String(rewards * GWEI),
          consensusPenalties: String(penalties * GWEI),
          activeEpochs: active,
          ...model.duties.on(indexOf(model, serial), date),
        })
      }
    }
    const missed = SERIALS.map((serial) => model.duties.on(indexOf(model, serial), '2026-11-03'))
    expect(missed.reduce((sum, { missedAttestations, missedProposals }) => sum + missedAttestations + missedProposals, 0)).toBeGreaterThan(
      0,
    )
  })

  it('counts no duties that no node reported', async () => {
    const model = await lived(4)
    // 5 to 10 are the second day; the attestations of an epoch are reported in the one after.
    for (const epoch of [7, 8]) model.pruned.add(epoch)
    for (let epoch = 11; epoch <= 16; epoch++) model.duties.unknownProposers.add(epoch)
    await bookAll(model)
    const [, second, third, fourth] = await daysOf(1)
    const dutiesOn = (date: string) => model.duties.on(indexOf(model, 1), date)
    expect(second).toMatchObject({
      activeEpochs: 6,
      attestations: dutiesOn('2026-11-02').attestations - 2,
      proposals: dutiesOn('2026-11-02').proposals,
    })
    expect(third).toMatchObject({ ...dutiesOn('2026-11-03'), proposals: null, missedProposals: null })
    expect(fourth).toMatchObject(dutiesOn('2026-11-04'))
  })

  it('returns no duties for days that were sealed before duties were counted', async () => {
    await insert(1)
    await pool.query(
      `INSERT INTO validator_day VALUES (1, '2026-10-01', 32000000000, 32000000007, 32, false, 0, 0, 7, 0, 0, 0, 225, 7200, 0)`,
    )
    await pool.query("INSERT INTO chain_day VALUES ('dev', '2026-10-01', 7200, 0)")
    expect(await daysOf(1)).toMatchObject([
      { date: '2026-10-01', balance: '32000000007000000000', attestations: null, missedSyncDuties: null, proposals: null },
    ])
  })

  it('never changes a missed proposal', async () => {
    const model = await lived(1)
    await bookAll(model)
    await expect(pool.query('DELETE FROM missed_proposal')).rejects.toThrow('never changed')
  })
})

async function lived(seed: number): Promise<ModelChain> {
  const model = new ModelChain(randomOf(seed))
  for (const serial of SERIALS) {
    await insert(serial)
    model.deposit(pubkeyOf(serial), credentialsOf(serial))
  }
  for (let epoch = 0; epoch < 20; epoch++) model.advance()
  return model
}

async function bookAll(model: ModelChain): Promise<void> {
  const epochs = epochsOf(model.chains(), new LedgerRepository(pool, schema.prisma))
  const run = await runOf(pool, model.chains())
  while (await epochs.bookNext(run));
  await run.lease.release()
}

async function daysOf(serial: number) {
  return (await new ValidatorDaysRepository(pool).list({ chain: 'dev', serial }, ALL)).map(describeDay)
}

function insert(serial: number): Promise<void> {
  return insertValidator(pool, {
    ...{ serial, userId: 'user-1', createdAt: new Date('2026-11-01T04:00:00Z'), feeAddress: Buffer.alloc(20) },
    ...{ pubkey: pubkeyOf(serial), withdrawalCredentials: credentialsOf(serial) },
  })
}

function indexOf(model: ModelChain, serial: number): number {
  return model.accounts.find(({ pubkey }) => pubkey.equals(pubkeyOf(serial)))!.index
}

function pubkeyOf(serial: number): Buffer {
  return Buffer.alloc(48, `pubkey of ${serial} `)
}

function credentialsOf(serial: number): Buffer {
  return Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, serial % 251)])
}
