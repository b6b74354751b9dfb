import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { ChainsService } from '../chains/chains.service.js'
import type { OwnedValidator, Ownership } from './validator.js'
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

  /** Throws if there is none. */
  async find(owned: Ownership): Promise<OwnedValidator> {
    this.chains.settings(owned.chain)
    const validator = await this.validators.find(owned)
    if (!validator) throw new Problem('unknown', 'UnknownValidator', 'You have no such validator.')
    return validator
  }
}
