import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { dayOf } from '../rewards/days.js'
import { NO_EARNINGS } from '../rewards/earnings.js'
import { EarningsService } from '../rewards/earnings.service.js'
import type { LifetimeEarnings } from './validators-report.js'

// The day before the first epoch of the beacon chain.
const FIRST_DAY = '2020-11-30'

/** What validators have earned since they were activated. */
@Injectable()
export class LifetimeEarningsService {
  constructor(
    private readonly earnings: EarningsService,
    private readonly clock: Clock,
  ) {}

  async list(validators: readonly { readonly chainName: string; readonly serial: number }[]): Promise<LifetimeEarnings[]> {
    const serials = validators.map(({ serial }) => serial)
    const earned = await this.earnings.list(serials, { from: FIRST_DAY, to: dayOf(this.clock.now()) })
    return Promise.all(
      validators.map(async ({ chainName, serial }) => {
        const one = earned.get(serial) ?? NO_EARNINGS
        const { apr } = await this.earnings.rates(chainName, one)
        return { rewardsWei: one.consensusRewardsWei + one.executionRewardsWei, apr }
      }),
    )
  }
}
