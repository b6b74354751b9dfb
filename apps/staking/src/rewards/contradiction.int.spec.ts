import { Metrics } from '@trestle/runtime/metrics'
import { epochsOf, runOf } from '../../test/bookkeeper.js'
import { ModelChain } from '../../test/model-chain.js'
import { randomOf } from '../../test/random.js'
import { insertValidator, rewardsSchema } from '../../test/rewards-schema.js'
import { LedgerRepository } from './ledger.repository.js'

let schema: Awaited<ReturnType<typeof rewardsSchema>>
beforeEach(async () => {
  schema = await rewardsSchema()
})
afterEach(() => schema.drop())

it('books on where blocks are of an unknown fork, what it cannot read apart, and lists the blocks', async () => {
  const model = await lived()
  model.unknownFork = 40
  const metrics = new Metrics()
  const { epochs, run } = await opened(model, metrics)
  while (await epochs.bookNext(run));
  await run.lease.release()
  const { pool } = schema
  expect((await pool.query('SELECT next_epoch FROM reward_cursor')).rows).toEqual([{ next_epoch: 20 }])
  const { rows } = await pool.query('SELECT min(slot) AS first, count(*)::int AS count FROM unread_block')
  expect(rows[0].first).toBeGreaterThanOrEqual(40)
  expect(await countOf(metrics, 'rewards_unread_blocks_total')).toBe(rows[0].count)
  const sums = await pool.query(
    "SELECT sum(rewards_gwei) AS rewards, sum(unexplained_gwei) AS apart FROM reward_day WHERE day >= '2026-11-03'",
  )
  expect(BigInt(sums.rows[0].rewards)).toBeGreaterThan(0n)
  // Withdrawals that nobody saw.
  expect(BigInt(sums.rows[0].apart)).toBeLessThan(0n)
})

it('compares each sealed day with its epochs, the day before and its blocks, to the gwei', async () => {
  const model = await lived()
  const metrics = new Metrics()
  const { epochs, run } = await opened(model, metrics)
  while (await epochs.bookNext(run));
  await run.lease.release()
  const books = new LedgerRepository(schema.pool, schema.prisma)
  expect([await countOf(metrics, 'rewards_day_differences_total'), await books.listDifferences('dev', '2026-11-02')]).toEqual([0, []])
  await schema.pool.query('ALTER TABLE validator_day DISABLE TRIGGER USER')
  await schema.pool.query(
    "UPDATE validator_day SET closing_gwei = closing_gwei + 1, rewards_gwei = rewards_gwei + 1, execution_rewards_wei = 3 WHERE day = '2026-11-02'",
  )
  const differences = await books.listDifferences('dev', '2026-11-02')
  expect(differences.map(({ amount }) => amount).toSorted()).toEqual(['1', '3'])
  expect(await books.listDifferences('dev', '2026-11-03')).toEqual([{ serial: 1, amount: '-1' }])
})

it('books nothing after a node calls another chain final than the one that is booked, and raises an alarm', async () => {
  const model = await lived()
  const metrics = new Metrics()
  const { epochs, run } = await opened(model, metrics)
  model.finalized = 15
  while (await epochs.bookNext(run));
  model.finalized = 20
  model.blocks.replace()
  await expect(epochs.bookNext(run)).rejects.toThrow('contradicts what is booked up to epoch 15 of dev')
  expect(await countOf(metrics, 'rewards_contradicted_total')).toBe(1)
  expect((await schema.pool.query('SELECT next_epoch FROM reward_cursor')).rows).toEqual([{ next_epoch: 15 }])
  await expect(schema.pool.query('UPDATE booked_checkpoint SET epoch = epoch')).rejects.toThrow('never changed')
  await run.lease.release()
})

/** With one validator, which is ours. */
async function lived(): Promise<ModelChain> {
  const model = new ModelChain(randomOf(16))
  const withdrawalCredentials = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 1)])
  const ours = { pubkey: Buffer.alloc(48, 1), withdrawalCredentials, feeAddress: Buffer.alloc(20) }
  await insertValidator(schema.pool, { serial: 1, userId: 'user-1', createdAt: new Date('2026-11-01T04:00:00Z'), ...ours })
  model.deposit(ours.pubkey, withdrawalCredentials)
  for (let epoch = 0; epoch < 20; epoch++) model.advance()
  return model
}

async function opened(model: ModelChain, metrics: Metrics) {
  const { pool, prisma } = schema
  return { epochs: epochsOf(model.chains(), new LedgerRepository(pool, prisma), metrics), run: await runOf(pool, model.chains()) }
}

async function countOf(metrics: Metrics, name: string): Promise<number | undefined> {
  return (await metrics.registry.getSingleMetric(name)!.get()).values[0]?.value
}
