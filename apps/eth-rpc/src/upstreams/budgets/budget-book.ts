import type { UpstreamConfig } from '../upstream-config.js'
import { Budget, type SpentUnits } from './budget.js'

/** The budgets of all upstreams that have one, in one process. */
export class BudgetBook {
  readonly #budgets = new Map<string, Budget>()
  #configured: ReadonlySet<string> = new Set()
  /** Whose spending is written by this process: its own, and in a worker that of the primary process. */
  readonly #processes: string[]

  constructor(readonly process: string) {
    this.#processes = [process]
  }

  /** From now on these. What is known of others stays known, as they may come back. */
  configure(upstreams: readonly UpstreamConfig[], now: number): void {
    const terms = upstreams.flatMap(({ budget }) => budget ?? [])
    this.#configured = new Set(terms.map(({ name }) => name))
    for (const { name, perMonth } of terms) {
      const budget = this.#budgets.get(name) ?? new Budget(name, this.process, perMonth, now)
      this.#budgets.set(name, budget)
      budget.perMonth = perMonth
      budget.moveTo(now)
    }
  }

  get(name: string): Budget | undefined {
    return this.#budgets.get(name)
  }

  /** Those that are configured. */
  get all(): Budget[] {
    return [...this.#budgets.values()].filter(({ name }) => this.#configured.has(name))
  }

  get processes(): readonly string[] {
    return this.#processes
  }

  /** What a process that is counted here has asked in all. */
  spentBy(process: string): SpentUnits[] {
    return [...this.#budgets.values()].flatMap((budget) => budget.counted(process))
  }

  /** The spending of another process, which this one writes. */
  adopt(process: string, spent: readonly SpentUnits[]): void {
    if (!this.#processes.includes(process)) this.#processes.push(process)
    for (const { budget, month, units } of spent) this.#budgets.get(budget)?.raise(month, process, units)
  }

  /** What is known of all others' spending. */
  learnOthers(spent: readonly SpentUnits[]): void {
    for (const { budget, month, units } of spent) this.#budgets.get(budget)?.learnOthers(month, units)
  }

  moveTo(now: number): void {
    for (const budget of this.#budgets.values()) budget.moveTo(now)
  }
}
