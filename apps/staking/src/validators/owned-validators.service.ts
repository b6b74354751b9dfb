import { Injectable } from '@nestjs/common'
import { ChainsService } from '../chains/chains.service.js'
import { type OwnedValidator, type Ownership, unknownValidator } from './validator.js'
import { ValidatorsRepository } from './validators.repository.js'

/** The validators of one organization; for any other they do not exist. */
@Injectable()
export class OwnedValidatorsService {
  constructor(
    private readonly validators: ValidatorsRepository,
    private readonly chains: ChainsService,
  ) {}

  /** Throws if the chain is unknown. */
  list(organizationId: string, chain: string): Promise<OwnedValidator[]> {
    return this.validators.list(organizationId, this.chains.settings(chain).name)
  }

  /** Those that were removed and can be restored. */
  listRemoved(organizationId: string, chain: string, now: Date): Promise<OwnedValidator[]> {
    return this.validators.listRemoved(organizationId, this.chains.settings(chain).name, now)
  }

  /** Throws if there is none. */
  async find(owned: Ownership): Promise<OwnedValidator> {
    this.chains.settings(owned.chain)
    const validator = await this.validators.find(owned)
    if (!validator) throw unknownValidator()
    return validator
  }

  /** The same among those that were deleted and can be restored. */
  async findRestorable(owned: Ownership, now: Date): Promise<OwnedValidator> {
    this.chains.settings(owned.chain)
    const validator = (await this.validators.find(owned)) ?? (await this.validators.findRemoved(owned, now))
    if (!validator) throw unknownValidator()
    return validator
  }
}
