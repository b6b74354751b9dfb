import { Injectable } from '@nestjs/common'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { Clock } from '@trestle/runtime/clock'
import { type Transfer, ValidatorOwnersRepository } from './validator-owners.repository.js'

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
    for (const dissolution of dissolutions) await this.repository.inherit(dissolution, this.clock.now())
  }
}
