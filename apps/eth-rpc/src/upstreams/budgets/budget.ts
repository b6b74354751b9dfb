import { monthAfter, monthOf } from './month.js'

/** What one process has asked in a month, in units of a budget. */
export interface SpentUnits {
  readonly budget: string
  /** Its beginning in UTC, in epoch milliseconds. */
  readonly month: number
  readonly units: number
}

interface MonthSpending {
  /** By the processes that are counted here: this one, and in a worker the primary process. */
  readonly counted: Map<string, number>
  /** By all others, as far as it is known. */
  others: number
}

/** A clock that is set back may lead into the one before. */
const MAX_MONTHS = 3

/** What a provider may be asked in a month of UTC, and what of that it was asked, as far as this process knows. It never knows less than before. */
export class Budget {
  /** Nothing may be asked until the month ends. */
  isSpent = false
  #month: number
  #monthEnd: number
  readonly #months = new Map<number, MonthSpending>()

  constructor(
    readonly name: string,
    private readonly process: string,
    public perMonth: number,
    now: number,
  ) {
    this.#month = monthOf(now)
    this.#monthEnd = monthAfter(this.#month)
  }

  get used(): number {
    return this.usedIn(this.#month)
  }

  get monthEnd(): number {
    return this.#monthEnd
  }

  /** What was counted here, of all months that may still be written. */
  counted(process: string): SpentUnits[] {
    const { name: budget } = this
    return [...this.#months].flatMap(([month, { counted }]) => {
      const units = counted.get(process)
      return units === undefined ? [] : [{ budget, month, units }]
    })
  }

  /** What was asked by all but this process. */
  usedByOthers(process: string): number {
    return this.used - (this.of(this.#month).counted.get(process) ?? 0)
  }

  count(units: number, now: number): void {
    this.moveTo(now)
    this.raise(this.#month, this.process, (this.of(this.#month).counted.get(this.process) ?? 0) + units)
  }

  /** What a process has asked in all; it may be said again, and late. */
  raise(month: number, process: string, units: number): void {
    const { counted } = this.of(month)
    if (units > (counted.get(process) ?? -1)) counted.set(process, units)
    this.judge()
  }

  /** What the others have asked in all. Where that is less than was known, what knew it is lost: it was asked all the same. */
  learnOthers(month: number, units: number): void {
    const known = this.of(month)
    known.others = Math.max(known.others, units)
    this.judge()
  }

  moveTo(now: number): void {
    if (now < this.#month || now >= this.#monthEnd) {
      this.#month = monthOf(now)
      this.#monthEnd = monthAfter(this.#month)
    }
    this.judge()
  }

  private judge(): void {
    this.isSpent = this.used >= this.perMonth
  }

  private usedIn(month: number): number {
    const spending = this.#months.get(month)
    if (!spending) return 0
    let used = spending.others
    for (const units of spending.counted.values()) used += units
    return used
  }

  private of(month: number): MonthSpending {
    const known = this.#months.get(month)
    if (known) return known
    const spending = { counted: new Map<string, number>(), others: 0 }
    this.#months.set(month, spending)
    if (this.#months.size > MAX_MONTHS) this.#months.delete(Math.min(...this.#months.keys()))
    return spending
  }
}
