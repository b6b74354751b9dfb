import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Chains } from '../chains/chains.service.js'
import { Signers } from '../signers/signers.service.js'
import { Failures } from './failures.service.js'
import { Holders } from './holders.js'

/** Asks signers for the keys they hold. */
@Injectable()
export class HolderLists {
  constructor(
    private readonly chains: Chains,
    private readonly signers: Signers,
    private readonly failures: Failures,
  ) {}

  /** Of all regions of a chain whose signer answers. */
  async of(chain: string, lease: Lease): Promise<Holders> {
    const lists = await Promise.all(
      this.chains.settings(chain).regions.map(async ({ name }) => {
        const keys = await this.failures.guard(`signer ${chain} ${name}`, lease, () => this.signers.of(chain, name).list())
        return keys && ([name, keys] as const)
      }),
    )
    return new Holders(new Map(lists.filter((list) => list !== undefined)))
  }
}
