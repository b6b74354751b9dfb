import { Injectable } from '@nestjs/common'
import type { ExitConfirmation } from '@trestle/contracts/staking/validators'
import { Clock } from '@trestle/runtime/clock'
import { OwnedValidatorsService } from './owned-validators.service.js'
import { PolicyService } from './policy.service.js'
import { type OwnedValidator, type Ownership, unknownValidator } from './validator.js'
import { ValidatorsRepository } from './validators.repository.js'

/** Records that an owner deletes a validator, restores it or ends it; the reconciler does the rest. */
@Injectable()
export class DesiredStateService {
  constructor(
    private readonly owned: OwnedValidatorsService,
    private readonly validators: ValidatorsRepository,
    private readonly policy: PolicyService,
    private readonly clock: Clock,
  ) {}

  async remove(ownership: Ownership): Promise<void> {
    const validator = await this.owned.find(ownership)
    this.policy.checkRemoval(validator)
    const now = this.clock.now()
    await this.validators.remove(validator, now, this.policy.restorableUntil(now))
  }

  async restore(ownership: Ownership): Promise<OwnedValidator> {
    const restored = await this.validators.restore(ownership, this.clock.now(), (counts) => this.policy.checkOwned(counts))
    if (!restored) throw unknownValidator()
    return restored
  }

  /** A deleted one, too, as long as it stakes. */
  async exit(ownership: Ownership, userId: string, confirmation: ExitConfirmation = {}): Promise<void> {
    const now = this.clock.now()
    const validator = await this.owned.findRestorable(ownership, now)
    this.policy.checkExit(validator, confirmation, now)
    await this.validators.requestExit(validator, { userId, at: now })
  }
}
