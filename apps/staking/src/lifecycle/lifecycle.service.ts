import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Chains } from '../chains/chains.service.js'
import { ChainPass } from './chain-pass.service.js'
import { Failures } from './failures.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'

/** Makes what signers and chains have what is wanted, as far as it is not, pass by pass. */
@Injectable()
export class LifecycleService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly chains: Chains,
    private readonly chainPass: ChainPass,
    private readonly failures: Failures,
  ) {}

  /** Waits until nobody else does this. */
  begin(signal: AbortSignal): Promise<Lease> {
    return this.repository.acquire(signal)
  }

  /** Once over all chains; one that fails does not keep the others. */
  async pass(lease: Lease): Promise<void> {
    await Promise.all(this.chains.names().map((name) => this.failures.guard(`chain ${name}`, lease, () => this.chainPass.run(name, lease))))
  }
}
