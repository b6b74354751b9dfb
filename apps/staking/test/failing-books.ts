import type { Pool } from 'pg'
import type { StakingDatabase } from '../src/database.module.js'
import type { LedgerRun } from '../src/rewards/epochs.service.js'
import { LedgerRepository } from '../src/rewards/ledger.repository.js'

export const FEE_ADDRESS = Buffer.alloc(20, 0xaa)

/** Does the work, or not, and then says that it failed. */
export class FailingBooks extends LedgerRepository {
  constructor(
    pool: Pool,
    database: StakingDatabase,
    private readonly random: () => number,
  ) {
    super(pool, database)
  }

  override async book(...given: Parameters<LedgerRepository['book']>): Promise<void> {
    const chance = this.random()
    if (chance < 0.2) throw new Error('lost before')
    const lease = {
      transaction: (of: Pool, work: Parameters<LedgerRun['lease']['transaction']>[1]) =>
        given[0].transaction(of, async (client) => {
          await work(client)
          if (chance < 0.4) throw new Error('killed before the commit')
        }),
    } as unknown as LedgerRun['lease']
    await super.book(lease, given[1], given[2])
    if (chance > 0.8) throw new Error('lost after')
  }
}

/** An execution node whose blocks all have two transactions; the last is the builder's. */
export function executionOf(builder: Buffer) {
  const receipts = [
    { transactionHash: Buffer.alloc(32, 1), gasUsed: 21_000n, effectiveGasPrice: 100n, succeeded: true },
    { transactionHash: Buffer.alloc(32, 2), gasUsed: 11n, effectiveGasPrice: 1n, succeeded: true },
  ]
  const last = { hash: Buffer.alloc(32, 2), from: builder, to: FEE_ADDRESS, valueWei: 1_234_567_890_123_456_789n }
  return {
    isConfigured: true,
    blockByHash: async () => ({ number: 1, baseFeePerGas: 0n, transactions: [{ hash: Buffer.alloc(32, 1) }, last] }),
    receipts: async () => receipts,
  }
}
