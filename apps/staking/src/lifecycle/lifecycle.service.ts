import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainsService } from '../chains/chains.service.js'
import { ChainReconcilerService } from './chain-reconciler.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PassFailuresService } from './pass-failures.service.js'

/** Reconciles signers and chains with the desired state, pass by pass. */
@Injectable()
export class LifecycleService {
  constructor(
    private readonly repository: LifecycleRepository,
    private readonly chains: ChainsService,
    private readonly reconciler: ChainReconcilerService,
    private readonly failures: PassFailuresService,
  ) {}

  /** Waits for the lease. */
  begin(signal: AbortSignal): Promise<Lease> {
    return this.repository.acquire(signal)
  }

  /** Reconciles every chain once; a failure of one does not stop the others. */
  async pass(lease: Lease): Promise<void> {
    await Promise.all(
      this.chains.names().map((name) => this.failures.attempt(`chain ${name}`, lease, () => this.reconciler.reconcile(name, lease))),
    )
  }
}
