import { Inject, Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import type { DayRange } from '../rewards/day-range.js'
import { dayOf } from '../rewards/days.js'
import { ENV } from '../settings.module.js'
import type { Billing } from './billing.js'

/** What a bill depends on besides earnings. */
@Injectable()
export class BillingSettingsService {
  constructor(
    @Inject(ENV) private readonly env: { readonly FEE_BASIS_POINTS: number },
    private readonly clock: Clock,
  ) {}

  of(range: DayRange): Billing {
    return { range, today: dayOf(this.clock.now()), feeBasisPoints: this.env.FEE_BASIS_POINTS }
  }
}
