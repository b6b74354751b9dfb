import { Injectable } from '@nestjs/common'
import type { CreatedValidator, Validator as ValidatorReply } from '@trestle/contracts/staking/validators'
import { Clock } from '@trestle/runtime/clock'
import { type CreationRequest, CreationService } from './creation.service.js'
import { OwnedValidatorsService } from './owned-validators.service.js'
import { describeCreated, describeValidator, type Ownership } from './validator.js'

@Injectable()
export class ValidatorsService {
  constructor(
    private readonly owned: OwnedValidatorsService,
    private readonly creation: CreationService,
    private readonly clock: Clock,
  ) {}

  async list(organizationId: string, chain: string): Promise<ValidatorReply[]> {
    const validators = await this.owned.list(organizationId, chain)
    return validators.map((validator) => describeValidator(validator, this.clock.now()))
  }

  async get(ownership: Ownership): Promise<ValidatorReply> {
    return describeValidator(await this.owned.find(ownership), this.clock.now())
  }

  async create(order: CreationRequest): Promise<CreatedValidator> {
    const now = this.clock.now()
    return describeCreated(await this.creation.create(order, now), now)
  }
}
