import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { BatchReconcilerService } from './batch-reconciler.service.js'
import { ChainObserverService } from './chain-observer.service.js'
import type { KeyHolders } from './key-holders.js'
import { KeyListingService } from './key-listing.service.js'
import { LifecycleRepository } from './lifecycle.repository.js'

/** One request's worth of validators. */
const BATCH_SIZE = 1_000

/** Goes over one chain's validators, where something is open or it is time to look again. */
@Injectable()
export class ChainReconcilerService {
  /** What signers listed in the pass before, by chain. */
  private readonly listed = new Map<string, KeyHolders>()

  constructor(
    private readonly repository: LifecycleRepository,
    private readonly lists: KeyListingService,
    private readonly observer: ChainObserverService,
    private readonly pages: BatchReconcilerService,
  ) {}

  async reconcile(chain: string, lease: Lease): Promise<void> {
    // A key that was imported counts when its signer lists it: looking again at once, its owner waits no longer than need be.
    if (await this.once(chain, lease)) await this.once(chain, lease)
  }

  private async once(chain: string, lease: Lease): Promise<boolean> {
    const holders = await this.lists.list(chain, lease)
    const reading = this.observer.open(chain, lease)
    // A key may be gone from where it was in order, and be where it must not be.
    const changed = holders.changedSince(this.listed.get(chain))
    let imported = false
    let afterSerial = 0
    while (true) {
      lease.signal.throwIfAborted()
      const records = await this.repository.listDue({ chain, afterSerial, limit: BATCH_SIZE, changed })
      const last = records.at(-1)
      if (!last) break
      if (await this.pages.reconcile({ reading, lease, holders, records })) imported = true
      afterSerial = last.serial
    }
    this.listed.set(chain, holders)
    return imported
  }
}
