import { Injectable } from '@nestjs/common'
import type { CreatedValidator, ExitConfirmation, Validator as ValidatorReply } from '@trestle/contracts/staking/validators'
import { Clock } from '@trestle/runtime/clock'
import { Creation, type Order } from './creation.service.js'
import { OwnedValidators } from './owned-validators.service.js'
import { describeCreated, describeValidator } from './validator.js'
import type { Ownership } from './validators.repository.js'
import { Wishes } from './wishes.service.js'

/** What an owner does with validators, at this time. */
@Injectable()
export class ValidatorsService {
  constructor(
    private readonly owned: OwnedValidators,
    private readonly creation: Creation,
    private readonly wishes: Wishes,
    private readonly clock: Clock,
  ) {}

  async list(userId: string, chain: string): Promise<ValidatorReply[]> {
    const validators = await this.owned.list(userId, chain)
    return validators.map((validator) => describeValidator(validator, this.clock.now()))
  }

  async get(ownership: Ownership): Promise<ValidatorReply> {
    return describeValidator(await this.owned.find(ownership), this.clock.now())
  }

  async create(order: Order): Promise<CreatedValidator> {
    const now = this.clock.now()
    return describeCreated(await this.creation.create(order, now), now)
  }

  changeFeeAddress(ownership: Ownership, feeAddress: string): Promise<void> {
    return this.wishes.changeFeeAddress(ownership, feeAddress)
  }

  remove(ownership: Ownership): Promise<void> {
    return this.wishes.remove(ownership, this.clock.now())
  }

  exit(ownership: Ownership, confirmation: ExitConfirmation = {}): Promise<void> {
    return this.wishes.exit(ownership, confirmation, this.clock.now())
  }
}
