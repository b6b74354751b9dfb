import { Injectable } from '@nestjs/common'
import type { DayRange } from './day-range.js'
import { chainRatesOf, type Earned, NO_EARNINGS, type Rates, ratesOf } from './earnings.js'
import { type DaysOf, EarningsRepository } from './earnings.repository.js'
import type { LedgerDay } from './validator-day.js'
import { ValidatorDaysRepository } from './validator-days.repository.js'

/** What validators have earned, by UTC day. */
@Injectable()
export class EarningsService {
  constructor(
    private readonly repository: EarningsRepository,
    private readonly validatorDays: ValidatorDaysRepository,
  ) {}

  /** For each of these validators, in the days of the range. */
  list(serials: readonly number[], range: DayRange): Promise<Map<number, Earned>> {
    return this.listDays(serials.map((serial) => ({ serial, ...range })))
  }

  /** For each of these validators, in these of its days. */
  async listDays(days: readonly DaysOf[]): Promise<Map<number, Earned>> {
    const earned = await this.repository.list(days)
    const others = days.filter(({ serial }) => !earned.has(serial))
    const slashed = others.length === 0 ? new Set() : await this.repository.listSlashed(others)
    for (const { serial } of others) earned.set(serial, { ...NO_EARNINGS, slashed: slashed.has(serial) })
    return earned
  }

  /** For one validator, day by day. */
  days(validator: { chain: string; serial: number }, range: DayRange): Promise<LedgerDay[]> {
    return this.validatorDays.list(validator, range)
  }

  async rates(chain: string, earned: Earned): Promise<Rates> {
    const settings = await this.repository.findChain(chain)
    return ratesOf(earned, settings?.epochMs ?? 0)
  }

  async chainRates(chain: string, range: DayRange): Promise<Rates> {
    const settings = (await this.repository.findChain(chain)) ?? { epochMs: 0, idealGwei: 0n }
    return chainRatesOf(settings, await this.repository.sumChain(chain, range))
  }
}
