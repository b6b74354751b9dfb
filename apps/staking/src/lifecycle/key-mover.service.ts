import { Injectable } from '@nestjs/common'
import { parseInterchange } from '@trestle/ethereum/slashing-protection'
import { KeyForge } from '../keys/key-forge.service.js'
import { Signers } from '../signers/signers.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PassTimes } from './pass-times.service.js'
import type { Row } from './row.js'
import type { SignerPass } from './signer-pass.js'
import { protectionOf } from './signing-history.js'

/** Brings keys to their signers, and takes them away for ever. */
@Injectable()
export class KeyMover {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly signers: Signers,
    private readonly forge: KeyForge,
    private readonly times: PassTimes,
  ) {}

  /** It counts once the signer lists the key, which is looked at by whoever looks next. */
  async import({ lease, chain, view }: SignerPass, row: Row): Promise<void> {
    const { pubkey, region, signer } = row
    const key = await this.repository.key(pubkey)
    const lost = signer.importedAt && view ? { ...view, slotsPerEpoch: chain.slotsPerEpoch } : undefined
    const given = await this.repository.histories(pubkey)
    const slashingProtection = protectionOf(pubkey, given, chain.network.genesisValidatorsRoot, lost)
    // It is known that a signer may have the key before one has it.
    const problem = signer.importedAt && 'The signer did not list the key any more; it was imported again.'
    await this.repository.saveSigner(lease, row, { importedAt: signer.importedAt ?? this.times.now(), problem })
    lease.signal.throwIfAborted()
    const { keystore } = key
    await this.signers
      .of(chain.settings.name, region)
      .import({ pubkey, keystore, password: this.forge.passwordOf(key), slashingProtection })
  }

  async release({ lease, chain }: SignerPass, row: Row): Promise<void> {
    const interchange = await this.signers.of(chain.settings.name, row.region).remove(row.pubkey)
    // One that the next signer could not read would be no protection.
    parseInterchange(interchange, chain.network.genesisValidatorsRoot)
    await this.repository.release(lease, row, interchange, this.times.now())
  }
}
