import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainsService } from '../chains/chains.service.js'
import { SignersService } from '../signers/signers.service.js'
import { KeyHolders } from './key-holders.js'
import { PassFailuresService } from './pass-failures.service.js'

/** Lists the keys that signers hold. */
@Injectable()
export class KeyListingService {
  constructor(
    private readonly chains: ChainsService,
    private readonly signers: SignersService,
    private readonly failures: PassFailuresService,
  ) {}

  /** For every region of a chain whose signer answers. */
  async list(chain: string, lease: Lease): Promise<KeyHolders> {
    const lists = await Promise.all(
      this.chains.settings(chain).regions.map(async ({ name }) => {
        const keys = await this.failures.attempt(`signer ${chain} ${name}`, lease, () => this.signers.of(chain, name).list())
        return keys && ([name, keys] as const)
      }),
    )
    return new KeyHolders(new Map(lists.filter((list) => list !== undefined)))
  }
}
