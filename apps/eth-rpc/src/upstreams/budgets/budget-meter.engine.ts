import type { Budget } from './budget.js'

/** Counts what one upstream is asked against its budget. */
export class BudgetMeter {
  constructor(
    private readonly budget: Budget,
    /** Of a call. */
    private readonly units: number,
  ) {}

  get isSpent(): boolean {
    return this.budget.isSpent
  }

  /** Whatever comes of it: a provider counts requests, not answers. */
  count(): void {
    this.budget.count(this.units, Date.now())
  }
}
