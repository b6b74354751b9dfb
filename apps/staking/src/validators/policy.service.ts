import { Inject, Injectable } from '@nestjs/common'
import type { ExitConfirmation } from '@trestle/contracts/staking/validators'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { checkConfirmation } from './exit-confirmation.js'
import { isStaking, type OwnedValidator, type ValidatorCounts } from './validator.js'

type Settings = Pick<StakingEnv, 'BIN_HOURS' | 'MAX_VALIDATORS' | 'PROTECT_STAKING_VALIDATORS' | 'REQUIRE_EXIT_SIGNATURE'>

/** Of MAX_VALIDATORS: so many may be created in 24 hours, the removed ones among them. */
const CREATED_A_DAY = 2

/** What the operator allows owners to do. */
@Injectable()
export class PolicyService {
  constructor(@Inject(ENV) private readonly settings: Settings) {}

  /** Whether one more may exist. */
  checkOwned({ owned }: Pick<ValidatorCounts, 'owned'>): void {
    const { MAX_VALIDATORS: max } = this.settings
    if (owned >= max) throw new Problem('conflict', 'LimitExceeded', `You have ${owned} validators of at most ${max}.`)
  }

  checkCount({ owned, createdToday }: ValidatorCounts): void {
    const { MAX_VALIDATORS: max } = this.settings
    this.checkOwned({ owned })
    // A removed one leaves a row and a key for ever.
    if (createdToday >= max * CREATED_A_DAY)
      throw new Problem('too-many', 'LimitExceeded', `You created ${createdToday} validators within 24 hours; create more tomorrow.`, {
        headers: retryAfter(3600),
      })
  }

  /** Until when a validator that is removed now can be restored; undefined if it cannot. */
  restorableUntil(now: Date): Date | undefined {
    const { BIN_HOURS: hours } = this.settings
    return hours === 0 ? undefined : new Date(now.getTime() + hours * 3_600_000)
  }

  checkRemoval(validator: OwnedValidator): void {
    if (this.settings.PROTECT_STAKING_VALIDATORS && isStaking(validator)) {
      throw new Problem('conflict', 'ValidatorStaking', 'The validator is staking: let it exit first.')
    }
  }

  checkExit(validator: OwnedValidator, confirmation: ExitConfirmation, now: Date): void {
    if (this.settings.REQUIRE_EXIT_SIGNATURE) checkConfirmation(validator, confirmation, now)
  }
}
