import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { dayOf } from '../rewards/days.js'
import { NOTHING } from '../rewards/earnings.js'
import { Earnings } from '../rewards/earnings.service.js'
import type { Figures } from './validators-report.js'

// Before there were any validators.
const FIRST_DAY = '2020-11-30'

/** What validators have earned since they were activated. */
@Injectable()
export class EarnedFigures {
  constructor(
    private readonly earnings: Earnings,
    private readonly clock: Clock,
  ) {}

  async list(validators: readonly { readonly chainName: string; readonly serial: number }[]): Promise<Figures[]> {
    const serials = validators.map(({ serial }) => serial)
    const earned = await this.earnings.list(serials, { from: FIRST_DAY, to: dayOf(this.clock.now()) })
    return Promise.all(
      validators.map(async ({ chainName, serial }) => {
        const one = earned.get(serial) ?? NOTHING
        const { apr } = await this.earnings.rates(chainName, one)
        return { rewardsWei: one.consensusRewardsWei + one.executionRewardsWei, apr }
      }),
    )
  }
}
