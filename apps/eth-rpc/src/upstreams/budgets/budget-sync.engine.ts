import { Injectable } from '@nestjs/common'
import { UpstreamClientsService } from '../upstream-clients.service.js'
import type { SpentUnits } from './budget.js'
import { BudgetsRepository, type ProcessSpending } from './budgets.repository.js'
import { monthOf } from './month.js'

/** Rows are written again so often, though nothing was spent: those of processes that are gone are not. */
const TOUCH_MS = 3_600_000
/** What others have spent is read so often, though nothing was spent here. */
const READ_MS = 5_000

/** Whoever has not written for so long is gone. */
const SILENT_MS = 2 * 86_400_000
const KEPT_MS = 400 * 86_400_000

/** Writes what was spent here, and reads what others have spent. Without Postgres all goes on by what is known. */
@Injectable()
export class BudgetSync {
  /** The units that Postgres has, by process, budget and month. */
  readonly #written = new Map<string, number>()
  #touchedAt = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly clients: UpstreamClientsService,
    private readonly repository: BudgetsRepository,
  ) {}

  /** Whose spending this process writes beside its own. */
  get adopted(): readonly string[] {
    return this.clients.budgets.processes.slice(1)
  }

  async run(now = Date.now()): Promise<void> {
    const { budgets: book } = this.clients
    const budgets = book.all.map(({ name }) => name)
    if (budgets.length === 0) return
    book.moveTo(now)
    const isTouch = Math.abs(now - this.#touchedAt) >= TOUCH_MS
    const spent = book.processes.flatMap((process) => book.spentBy(process).map((each) => ({ ...each, process })))
    const due = spent.filter((each) => isTouch || this.#written.get(keyOf(each)) !== each.units)
    if (due.length > 0) await this.repository.write(due)
    for (const each of due) this.#written.set(keyOf(each), each.units)
    if (isTouch) this.#touchedAt = now
    if (due.length === 0 && Math.abs(now - this.#readAt) < READ_MS) return
    book.learnOthers(await this.repository.sum({ month: monthOf(now), budgets, except: book.processes }))
    this.#readAt = now
  }

  /** Keeps few rows, and those of a year. */
  tidy(now = Date.now()): Promise<void> {
    return this.repository.tidy({ silentSince: new Date(now - SILENT_MS), oldestMonth: new Date(monthOf(now - KEPT_MS)) })
  }

  /** For the primary process, which cannot read it: what all but it have spent. */
  usedBeside(process: string, now = Date.now()): SpentUnits[] {
    return this.clients.budgets.all.map((budget) => ({ budget: budget.name, month: monthOf(now), units: budget.usedByOthers(process) }))
  }
}

function keyOf({ process, budget, month }: ProcessSpending): string {
  return `${process} ${month} ${budget}`
}
