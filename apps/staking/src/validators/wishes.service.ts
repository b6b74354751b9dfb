import { Injectable } from '@nestjs/common'
import type { ExitConfirmation } from '@trestle/contracts/staking/validators'
import { Signers } from '../signers/signers.service.js'
import { OwnedValidators } from './owned-validators.service.js'
import { Policy } from './policy.service.js'
import { addressOf } from './validator.js'
import { type Ownership, ValidatorsRepository } from './validators.repository.js'

/** What an owner wants of a validator: written down here, and seen to by `lifecycle`. */
@Injectable()
export class Wishes {
  constructor(
    private readonly owned: OwnedValidators,
    private readonly validators: ValidatorsRepository,
    private readonly policy: Policy,
    private readonly signers: Signers,
  ) {}

  /** Done when its signer has it; a signer that has no key yet is given it with the key. */
  async changeFeeAddress(ownership: Ownership, feeAddress: string): Promise<void> {
    const validator = await this.owned.find(ownership)
    const address = addressOf(feeAddress, 'feeAddress')
    const { importedAt, releasedAt } = validator.signer
    const signer = this.signers.of(ownership.chain, validator.region)
    await this.validators.saveFeeAddress(validator, address)
    if (!importedAt || releasedAt || !signer.keepsFeeRecipients) return
    await signer.setFeeRecipient(validator.pubkey, address).catch(async (error) => {
      // The signer may have it all the same: `lifecycle` gives it back the one that is kept.
      await this.validators.takeBackFeeAddress(validator, address)
      throw error
    })
  }

  async remove(ownership: Ownership, now: Date): Promise<void> {
    const validator = await this.owned.find(ownership)
    this.policy.checkRemoval(validator)
    await this.validators.remove(validator, now)
  }

  async exit(ownership: Ownership, confirmation: ExitConfirmation, now: Date): Promise<void> {
    const validator = await this.owned.find(ownership)
    this.policy.checkExit(validator, confirmation, now)
    await this.validators.requestExit(validator, now)
  }
}
