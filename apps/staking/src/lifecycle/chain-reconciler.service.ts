import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { BatchReconcilerService } from './batch-reconciler.service.js'
import { ChainObserverService } from './chain-observer.service.js'
import type { KeyHolders } from './key-holders.js'
import { KeyListingService } from './key-listing.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'

/** As many validators as one request to a node may name. */
const BATCH_SIZE = 1_000

/** Reconciles the validators of a chain that are due. */
@Injectable()
export class ChainReconcilerService {
  /** The keys that signers listed in the last pass, by chain. */
  private readonly listed = new Map<string, KeyHolders>()

  constructor(
    private readonly repository: LifecycleRepository,
    private readonly keys: KeyListingService,
    private readonly observer: ChainObserverService,
    private readonly batches: BatchReconcilerService,
  ) {}

  async reconcile(chain: string, lease: Lease): Promise<void> {
    // An imported key counts when its signer lists it: a second pass at once spares its owner the wait.
    if (await this.pass(chain, lease)) await this.pass(chain, lease)
  }

  private async pass(chain: string, lease: Lease): Promise<boolean> {
    const holders = await this.keys.list(chain, lease)
    const reading = this.observer.open(chain, lease)
    // A key may have disappeared from its signer, or appeared in another one.
    const changed = holders.changedSince(this.listed.get(chain))
    let imported = false
    let afterSerial = 0
    while (true) {
      lease.signal.throwIfAborted()
      const records = await this.repository.listDue({ chain, afterSerial, limit: BATCH_SIZE, changed })
      const last = records.at(-1)
      if (!last) break
      if (await this.batches.reconcile({ reading, lease, holders, records })) imported = true
      afterSerial = last.serial
    }
    this.listed.set(chain, holders)
    return imported
  }
}
