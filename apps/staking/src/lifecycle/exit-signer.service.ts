import { Injectable } from '@nestjs/common'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import { isValidExit, type SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { Logger } from '@trestle/runtime/logger'
import type { StakingChain } from '../chains/chain.js'
import { KeyGenerator } from '../keys/key-generator.engine.js'
import { SignersService } from '../signers/signers.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { reasonOf } from './reason.js'
import type { ValidatorRecord } from './validator-record.js'

/** Has exits signed, and verifies them. */
@Injectable()
export class ExitSignerService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly signers: SignersService,
    private readonly keyGenerator: KeyGenerator,
    private readonly logger: Logger,
  ) {}

  /** By the signer; if it cannot, or signs something else, with the key that is stored here. */
  async sign(chain: StakingChain, record: ValidatorRecord, message: VoluntaryExit): Promise<SignedVoluntaryExit> {
    const signed = await this.bySigner(chain, record, message)
    if (signed && isExitOf(signed, record, message, chain)) return signed
    const ownExit = await this.keyGenerator.signExit(await this.repository.key(record.pubkey), message, chain.network)
    if (!isExitOf(ownExit, record, message, chain)) throw new Error('The signed exit does not match its key.')
    return ownExit
  }

  private async bySigner({ settings, network }: StakingChain, { region, pubkey }: ValidatorRecord, message: VoluntaryExit) {
    try {
      return await this.signers.of(settings.name, region).signExit(pubkey, message, network)
    } catch (error) {
      this.logger.warn({ reason: reasonOf(error), validator: pubkey.toString('hex') }, 'the signer did not sign an exit; signing it here')
      return undefined
    }
  }
}

/** Whether the chain will accept it now as the exit of this validator, and of no other. */
export function isExitOf(
  exit: SignedVoluntaryExit,
  { pubkey }: ValidatorRecord,
  { epoch, validatorIndex }: VoluntaryExit,
  { network }: StakingChain,
): boolean {
  const { message } = exit
  return message.validatorIndex === validatorIndex && message.epoch <= epoch && isValidExit(exit, pubkey, network)
}
