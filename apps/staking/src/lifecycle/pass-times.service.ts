import { Inject, Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'

/** Where nothing is open, the chain is asked again after so many passes, and a signer about a fee address. */
const OBSERVE_PASSES = 10
const CHECK_PASSES = 50
/** However long a pass is: nobody is to take what is looked at for forgotten. */
const MAX_OBSERVE_MS = 5 * 60_000

/** When a pass begins, and how old what was seen before may be for it. */
@Injectable()
export class PassTimesService {
  private readonly passMs: number

  constructor(
    @Inject(ENV) { RECONCILE_MS }: Pick<StakingEnv, 'RECONCILE_MS'>,
    private readonly clock: Clock,
  ) {
    this.passMs = RECONCILE_MS
  }

  now(): Date {
    return this.clock.now()
  }

  /** What the chain said before this is asked again. */
  observedBefore(): Date {
    return this.ago(Math.min(OBSERVE_PASSES * this.passMs, MAX_OBSERVE_MS))
  }

  /** A fee address that was looked at before this is looked at again. */
  checkedBefore(): Date {
    return this.ago(CHECK_PASSES * this.passMs)
  }

  private ago(ms: number): Date {
    return new Date(this.now().getTime() - ms)
  }
}
