import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { signerProblem } from '../chains/upstream-problem.js'
import { SignersService } from '../signers/signers.service.js'
import { OwnedValidatorsService } from './owned-validators.service.js'
import { type Ownership, parseMemberAddress } from './validator.js'
import { ValidatorsRepository } from './validators.repository.js'

/** The addresses that receive the fees of validators' blocks. */
@Injectable()
export class FeeAddressesService {
  constructor(
    private readonly owned: OwnedValidatorsService,
    private readonly validators: ValidatorsRepository,
    private readonly signers: SignersService,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the signer has it; a signer without the key receives it with the key. */
  async change(ownership: Ownership, feeAddress: string, userId: string): Promise<void> {
    const validator = await this.owned.find(ownership)
    const address = parseMemberAddress(feeAddress, 'feeAddress')
    const { importedAt, releasedAt } = validator.signer
    const signer = this.signers.of(ownership.chain, validator.region)
    await this.validators.saveFeeAddress(validator, address, { userId, at: this.clock.now() })
    if (!importedAt || releasedAt || !signer.keepsFeeRecipients) return
    await signer.setFeeRecipient(validator.pubkey, address).catch(async (error) => {
      // The signer may have it all the same: the reconciler restores the former one there.
      await this.validators.restoreFeeAddress(validator, address)
      throw signerProblem(error) ?? error
    })
  }
}
