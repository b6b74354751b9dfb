import { Injectable } from '@nestjs/common'
import { Authorization } from '@trestle/auth/authorization'
import type { Caller } from '@trestle/contracts/caller'
import { ValidatorOwnersService } from '../ownership/validator-owners.service.js'
import { OwnedValidatorsService } from './owned-validators.service.js'
import { type OwnedValidator, type Ownership, unknownValidator } from './validator.js'

/** Moves validators between organizations of a caller. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly owned: OwnedValidatorsService,
    private readonly owners: ValidatorOwnersService,
    private readonly authorization: Authorization,
  ) {}

  /** Throws Problem `UnknownOrganization` or `MissingPermission` unless the caller may create validators in the other organization. */
  async transfer(caller: Caller, ownership: Ownership, to: string): Promise<OwnedValidator> {
    const validator = await this.owned.find(ownership)
    const { chain, pubkey, organizationId: from } = ownership
    this.authorization.require(caller, 'staking:create', to)
    if (to === from) return validator
    const { serial } = validator
    if (!(await this.owners.transfer({ serial, chain, pubkey, from, to }, caller.userId))) throw unknownValidator()
    return { ...validator, organizationId: to }
  }
}
