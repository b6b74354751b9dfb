import { Inject, Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'

/** If there is nothing to do, the chain is read again after so many passes, and the fee address at the signer. */
const OBSERVE_PASSES = 10
const CHECK_PASSES = 50
/** However long a pass takes, so that no status becomes `unknown`. */
const MAX_OBSERVE_MS = 5 * 60_000

/** How old observations may be for a pass. */
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

  /** Validators last read before this are due. */
  observedBefore(): Date {
    return this.ago(Math.min(OBSERVE_PASSES * this.passMs, MAX_OBSERVE_MS))
  }

  /** Fee addresses last checked before this are due. */
  checkedBefore(): Date {
    return this.ago(CHECK_PASSES * this.passMs)
  }

  private ago(ms: number): Date {
    return new Date(this.now().getTime() - ms)
  }
}
