import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Chains } from '../chains/chains.service.js'
import type { Validator } from './validator.js'
import { type Ownership, ValidatorsRepository } from './validators.repository.js'

/** Those of one owner; to anybody else they do not exist. */
@Injectable()
export class OwnedValidators {
  constructor(
    private readonly validators: ValidatorsRepository,
    private readonly chains: Chains,
  ) {}

  /** Throws where there is no such chain. */
  list(userId: string, chain: string): Promise<Validator[]> {
    return this.validators.list(userId, this.chains.settings(chain).name)
  }

  /** Throws where there is none. */
  async find(owned: Ownership): Promise<Validator> {
    this.chains.settings(owned.chain)
    const validator = await this.validators.find(owned)
    if (!validator) throw new Problem('unknown', 'UnknownValidator', 'You have no such validator.')
    return validator
  }
}
