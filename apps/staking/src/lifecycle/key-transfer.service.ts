import { Injectable } from '@nestjs/common'
import { parseInterchange } from '@trestle/ethereum/slashing-protection'
import { KeyGenerator } from '../keys/key-generator.engine.js'
import { SignersService } from '../signers/signers.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PassTimesService } from './pass-times.service.js'
import type { SignerPass } from './signer-pass.js'
import { slashingProtectionOf } from './signing-history.js'
import { lastSignedEpoch, type SignerBinding } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

/** Imports keys into their signers, and deletes them there. */
@Injectable()
export class KeyTransferService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly signers: SignersService,
    private readonly keyGenerator: KeyGenerator,
    private readonly times: PassTimesService,
  ) {}

  /** The import counts once the signer lists the key, which the next pass checks. */
  async import({ lease, chain, view }: SignerPass, record: ValidatorRecord, { identity }: SignerBinding): Promise<void> {
    const { pubkey, region, signer } = record
    const key = await this.repository.key(pubkey)
    const epoch = view && lastSignedEpoch(record, view.observationOf(record), chain)
    const signed = epoch === undefined ? undefined : { epoch, slotsPerEpoch: chain.slotsPerEpoch }
    const given = await this.repository.histories(pubkey)
    const slashingProtection = slashingProtectionOf(pubkey, given, chain.network.genesisValidatorsRoot, signed)
    // Stored before the import: from here on the signer may have the key.
    await this.repository.saveImport(lease, record, identity, signer.importedAt && importedAgain(record))
    lease.signal.throwIfAborted()
    const { keystore } = key
    await this.signers
      .of(chain.settings.name, region)
      .import({ pubkey, keystore, password: this.keyGenerator.passwordOf(key), slashingProtection })
  }

  async release({ lease, chain }: SignerPass, record: ValidatorRecord): Promise<void> {
    const interchange = await this.signers.of(chain.settings.name, record.region).remove(record.pubkey)
    // A history that the next signer cannot read would not protect it.
    parseInterchange(interchange, chain.network.genesisValidatorsRoot)
    await this.repository.release(lease, record, interchange, this.times.now())
  }
}

function importedAgain({ custody, signer }: ValidatorRecord): string {
  if (signer.releasedAt) return 'The deposit arrived after the key was deleted from the signer; the key was imported again.'
  return custody.listedAt
    ? 'The signer lost the key; it was imported again.'
    : 'The signer has not listed the key since it was sent; it was sent again.'
}
