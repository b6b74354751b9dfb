import { Metrics } from '@trestle/runtime/metrics'
import { epochsOf, runOf } from '../../test/bookkeeper.js'
import { ModelChain } from '../../test/model-chain.js'
import { randomOf } from '../../test/random.js'
import { insertValidator, rewardsSchema } from '../../test/rewards-schema.js'
import { LedgerRepository } from './ledger.repository.js'

it('books nothing after a node calls another chain final than the one that is booked, and raises an alarm', async () => {
  const { pool, prisma, drop } = await rewardsSchema()
  const model = new ModelChain(randomOf(16))
  const credentials = Buffer.concat([Buffer.of(1), Buffer.alloc(11), Buffer.alloc(20, 1)])
  const ours = { pubkey: Buffer.alloc(48, 1), withdrawalCredentials: credentials, feeAddress: Buffer.alloc(20) }
  await insertValidator(pool, { serial: 1, userId: 'user-1', createdAt: new Date('2026-11-01T04:00:00Z'), ...ours })
  model.deposit(ours.pubkey, credentials)
  for (let epoch = 0; epoch < 20; epoch++) model.advance()
  const metrics = new Metrics()
  const epochs = epochsOf(model.chains(), new LedgerRepository(pool, prisma), metrics)
  const run = await runOf(pool, model.chains())
  model.finalized = 15
  while (await epochs.bookNext(run));
  model.finalized = 20
  model.blocks.replace()
  await expect(epochs.bookNext(run)).rejects.toThrow('contradicts what is booked up to epoch 15 of dev')
  const { values } = await metrics.registry.getSingleMetric('rewards_contradicted_total')!.get()
  expect(values).toMatchObject([{ value: 1 }])
  expect((await pool.query('SELECT next_epoch FROM reward_cursor')).rows).toEqual([{ next_epoch: 15 }])
  await expect(pool.query('UPDATE booked_checkpoint SET epoch = epoch')).rejects.toThrow('never changed')
  await run.lease.release()
  await drop()
})
