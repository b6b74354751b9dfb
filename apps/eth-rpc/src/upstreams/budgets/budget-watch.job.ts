import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Gauge } from 'prom-client'
import { UpstreamClientsService } from '../upstream-clients.service.js'
import type { Budget } from './budget.js'

const CHECK_MS = 1_000

/** Shows what is used of each budget, and says once when one is used up: in the process that follows the chain. */
@Injectable()
export class BudgetWatchJob implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout
  private readonly spent = new Set<string>()

  constructor(
    private readonly clients: UpstreamClientsService,
    private readonly logger: Logger,
    { registry }: Metrics,
    readiness: Readiness,
  ) {
    const gauge = (name: string, help: string, read: (budget: Budget) => number) => {
      const collect = () => {
        shown.reset()
        for (const budget of clients.budgets.all) shown.set({ budget: budget.name }, read(budget))
      }
      const shown = new Gauge({ name, help, labelNames: ['budget'], registers: [registry], aggregator: 'max', collect })
    }
    gauge('upstream_budget', 'The units that the upstreams of a budget may be asked in a month of UTC.', ({ perMonth }) => perMonth)
    gauge('upstream_budget_used', 'The units that they were asked in this month, by all processes.', ({ used }) => used)
    readiness.addNote('budgets', () => this.note())
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.check(), CHECK_MS).unref()
  }

  onModuleDestroy(): void {
    clearInterval(this.timer)
  }

  check(now = Date.now()): void {
    const { budgets } = this.clients
    budgets.moveTo(now)
    for (const { name, isSpent, used, perMonth, monthEnd } of budgets.all) {
      if (isSpent === this.spent.has(name)) continue
      const about = { budget: name, used, perMonth, until: new Date(monthEnd) }
      if (isSpent) this.logger.warn(about, 'a budget is used up, and its upstreams are not asked until the month ends')
      else this.logger.info(about, 'the upstreams of a budget are asked again')
      if (isSpent) this.spent.add(name)
      else this.spent.delete(name)
    }
  }

  private note(): string | undefined {
    const spent = this.clients.budgets.all.filter(({ isSpent }) => isSpent)
    const notes = spent.map(({ name, monthEnd }) => `${name} is used up until ${new Date(monthEnd).toISOString()}`)
    return notes.length > 0 ? notes.join('; ') : undefined
  }
}
