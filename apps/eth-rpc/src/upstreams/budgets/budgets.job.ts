import cluster from 'node:cluster'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { channelToPrimary } from '../../cluster/worker.engine.js'
import { BudgetSync } from './budget-sync.engine.js'

const SYNC_MS = 1_000
const TIDY_MS = 3_600_000

/** Keeps the spending of all processes in Postgres, and tells the primary process, which has no database. */
@Injectable()
export class BudgetsJob implements OnApplicationBootstrap {
  constructor(
    private readonly sync: BudgetSync,
    private readonly jobs: Jobs,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    const channel = cluster.isWorker ? channelToPrimary() : undefined
    const run = async () => {
      await this.sync.run()
      for (const process of this.sync.adopted) channel?.send({ type: 'budgets', used: this.sync.usedBeside(process) })
    }
    void this.jobs.every(SYNC_MS, 'count the spending of providers', run)
    void this.jobs.every(TIDY_MS, 'add up the spending of providers', () => this.sync.tidy())
    this.lifecycle.onFlush(() => this.sync.run())
  }
}
