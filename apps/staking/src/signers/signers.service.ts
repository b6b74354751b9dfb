import { Inject, Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import type { RegionSettings } from '../chains/chain-settings.js'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { KeymanagerClient } from './keymanager.client.js'
import type { SignerClient } from './signer.js'
import { Web3signerClient } from './web3signer.client.js'

/** The signers of all regions. */
@Injectable()
export class SignersService {
  private readonly signers: ReadonlyMap<string, SignerClient>

  constructor(@Inject(ENV) { CHAINS }: Pick<StakingEnv, 'CHAINS'>, lifecycle: Lifecycle) {
    const all = CHAINS.flatMap(({ name, regions }) => regions.map((region) => [`${name} ${region.name}`, signerOf(region)] as const))
    this.signers = new Map(all)
    lifecycle.onClose(() => this.close())
  }

  of(chain: string, region: string): SignerClient {
    const signer = this.signers.get(`${chain} ${region}`)
    if (!signer) throw new Problem('unknown', 'UnknownRegion', 'This region is not configured.')
    return signer
  }

  private async close(): Promise<void> {
    await Promise.all(Array.from(this.signers.values(), (signer) => signer.close()))
  }
}

function signerOf({ name, signer }: RegionSettings): SignerClient {
  const label = `The signer of ${name}`
  return signer.kind === 'keymanager' ? new KeymanagerClient(signer, label) : new Web3signerClient(signer.url, label)
}
