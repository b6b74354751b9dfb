import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { type Transfer, ValidatorOwnersRepository } from './validator-owners.repository.js'

interface Dissolution {
  readonly organizationId: string
  readonly heirId: string
  readonly dissolvedAt: Date
}

/** Who owns validators. */
@Injectable()
export class ValidatorOwnersService {
  constructor(
    private readonly repository: ValidatorOwnersRepository,
    private readonly clock: Clock,
  ) {}

  /** False if the validator does not belong to the organization any more. */
  transfer(transfer: Transfer, userId: string): Promise<boolean> {
    return this.repository.transfer(transfer, userId, this.clock.now())
  }

  /** What dissolved organizations owned goes to their heirs. */
  async inherit(dissolutions: readonly Dissolution[]): Promise<void> {
    for (const { organizationId, heirId, dissolvedAt } of dissolutions)
      await this.repository.inherit(organizationId, heirId, { dissolvedAt, now: this.clock.now() })
  }
}
