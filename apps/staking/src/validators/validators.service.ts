import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { CreatedValidator, Validator as ValidatorReply } from '@trestle/contracts/staking/validators'
import { Clock } from '@trestle/runtime/clock'
import { type CreationRequest, CreationService } from './creation.service.js'
import { OwnedValidatorsService } from './owned-validators.service.js'
import { TransfersService } from './transfers.service.js'
import { describeCreated, describeValidator, type Ownership } from './validator.js'

@Injectable()
export class ValidatorsService {
  constructor(
    private readonly owned: OwnedValidatorsService,
    private readonly creation: CreationService,
    private readonly transfers: TransfersService,
    private readonly clock: Clock,
  ) {}

  async list(organizationId: string, chain: string, { deleted } = { deleted: false }): Promise<ValidatorReply[]> {
    const now = this.clock.now()
    const validators = await (deleted ? this.owned.listRemoved(organizationId, chain, now) : this.owned.list(organizationId, chain))
    return validators.map((validator) => describeValidator(validator, now))
  }

  async get(ownership: Ownership): Promise<ValidatorReply> {
    return describeValidator(await this.owned.find(ownership), this.clock.now())
  }

  async transfer(caller: Caller, ownership: Ownership, to: string): Promise<ValidatorReply> {
    return describeValidator(await this.transfers.transfer(caller, ownership, to), this.clock.now())
  }

  async create(order: CreationRequest): Promise<CreatedValidator> {
    const now = this.clock.now()
    return describeCreated(await this.creation.create(order, now), now)
  }
}
