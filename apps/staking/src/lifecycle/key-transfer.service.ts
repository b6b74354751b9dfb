import { Injectable } from '@nestjs/common'
import { parseInterchange } from '@trestle/ethereum/slashing-protection'
import { KeyGenerator } from '../keys/key-generator.engine.js'
import { SignersService } from '../signers/signers.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PassTimesService } from './pass-times.service.js'
import type { SignerPass } from './signer-pass.js'
import { slashingProtectionOf } from './signing-history.js'
import type { ValidatorRecord } from './validator-record.js'

/** Brings keys to their signers, and takes them away for ever. */
@Injectable()
export class KeyTransferService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly signers: SignersService,
    private readonly keyGenerator: KeyGenerator,
    private readonly times: PassTimesService,
  ) {}

  /** It counts once the signer lists the key, which is looked at by whoever looks next. */
  async import({ lease, chain, view }: SignerPass, record: ValidatorRecord): Promise<void> {
    const { pubkey, region, signer } = record
    const key = await this.repository.key(pubkey)
    const lost = signer.importedAt && view ? { ...view, slotsPerEpoch: chain.slotsPerEpoch } : undefined
    const given = await this.repository.histories(pubkey)
    const slashingProtection = slashingProtectionOf(pubkey, given, chain.network.genesisValidatorsRoot, lost)
    // It is known that a signer may have the key before one has it.
    const problem = signer.importedAt && 'The signer did not list the key any more; it was imported again.'
    await this.repository.saveSigner(lease, record, { importedAt: signer.importedAt ?? this.times.now(), problem })
    lease.signal.throwIfAborted()
    const { keystore } = key
    await this.signers
      .of(chain.settings.name, region)
      .import({ pubkey, keystore, password: this.keyGenerator.passwordOf(key), slashingProtection })
  }

  async release({ lease, chain }: SignerPass, record: ValidatorRecord): Promise<void> {
    const interchange = await this.signers.of(chain.settings.name, record.region).remove(record.pubkey)
    // One that the next signer could not read would be no protection.
    parseInterchange(interchange, chain.network.genesisValidatorsRoot)
    await this.repository.release(lease, record, interchange, this.times.now())
  }
}
