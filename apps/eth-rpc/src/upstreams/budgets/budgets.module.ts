import { Module } from '@nestjs/common'
import { BudgetSync } from './budget-sync.engine.js'
import { BudgetsJob } from './budgets.job.js'
import { BudgetsRepository } from './budgets.repository.js'

/** What upstreams with a budget were asked, over all processes and restarts. Needs what HeadsModule provides globally. */
@Module({ providers: [BudgetSync, BudgetsJob, BudgetsRepository] })
export class BudgetsModule {}
