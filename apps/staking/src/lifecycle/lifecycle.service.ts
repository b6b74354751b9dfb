import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainsService } from '../chains/chains.service.js'
import { ChainReconcilerService } from './chain-reconciler.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PassFailuresService } from './pass-failures.service.js'

/** Makes what signers and chains have what is wanted, as far as it is not, pass by pass. */
@Injectable()
export class LifecycleService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly chains: ChainsService,
    private readonly chainPass: ChainReconcilerService,
    private readonly failures: PassFailuresService,
  ) {}

  /** Waits until nobody else does this. */
  begin(signal: AbortSignal): Promise<Lease> {
    return this.repository.acquire(signal)
  }

  /** Once over all chains; one that fails does not keep the others. */
  async pass(lease: Lease): Promise<void> {
    await Promise.all(
      this.chains.names().map((name) => this.failures.attempt(`chain ${name}`, lease, () => this.chainPass.reconcile(name, lease))),
    )
  }
}
