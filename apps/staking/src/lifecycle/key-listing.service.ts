import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainsService } from '../chains/chains.service.js'
import type { SignerContact } from '../custody/region-signer.js'
import { SignerWatchService } from '../custody/signer-watch.service.js'
import { OtherSigner } from '../signers/other-signer.js'
import { SignersService } from '../signers/signers.service.js'
import { KeyHolders } from './key-holders.js'
import { PassFailuresService } from './pass-failures.service.js'
import { reasonOf } from './reason.js'

/** Lists the keys that signers hold. */
@Injectable()
export class KeyListingService {
  constructor(
    private readonly chains: ChainsService,
    private readonly signers: SignersService,
    private readonly failures: PassFailuresService,
    private readonly watch: SignerWatchService,
  ) {}

  /** For every region of a chain whose signer answers. */
  async list(chain: string, lease: Lease): Promise<KeyHolders> {
    const regions = this.chains.settings(chain).regions.map(({ name }) => name)
    const stored = await this.watch.bind(chain, regions)
    const answers = await Promise.all(regions.map(async (region) => [region, await this.contact(chain, region, lease)] as const))
    const contacts = new Map(answers)
    const bindings = await this.watch.compare(chain, lease, stored, contacts)
    const lists = answers.flatMap(([region, contact]) => (contact.kind === 'listed' ? [[region, contact.keys] as const] : []))
    const failures = answers.flatMap(([region, contact]) => (contact.kind === 'away' ? [[region, contact.reason] as const] : []))
    return new KeyHolders(new Map(lists), { bindings, failures: new Map(failures) })
  }

  private async contact(chain: string, region: string, lease: Lease): Promise<SignerContact> {
    let failure: unknown
    const answer = await this.failures.attempt(`signer ${chain} ${region}`, lease, () =>
      this.ask(chain, region).catch((error) => {
        failure = error
        throw error
      }),
    )
    return answer ?? { kind: 'away', reason: reasonOf(failure) }
  }

  private async ask(chain: string, region: string): Promise<SignerContact> {
    const signer = this.signers.of(chain, region)
    try {
      const keys = await signer.list()
      return { kind: 'listed', identity: await signer.identity(), keys }
    } catch (error) {
      if (error instanceof OtherSigner) return { kind: 'other', identity: error.identity }
      throw error
    }
  }
}
