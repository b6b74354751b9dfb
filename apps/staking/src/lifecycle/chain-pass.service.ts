import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainObserver } from './chain-observer.service.js'
import { HolderLists } from './holder-lists.service.js'
import type { Holders } from './holders.js'
import { LifecycleRepository } from './lifecycle.repository.js'
import { PageKeeper } from './page-keeper.service.js'

/** One request's worth of validators. */
const PAGE = 1_000

/** Goes over one chain's validators, where something is open or it is time to look again. */
@Injectable()
export class ChainPass {
  /** What signers listed in the pass before, by chain. */
  private readonly listed = new Map<string, Holders>()

  constructor(
    private readonly repository: LifecycleRepository,
    private readonly lists: HolderLists,
    private readonly observer: ChainObserver,
    private readonly pages: PageKeeper,
  ) {}

  async run(chain: string, lease: Lease): Promise<void> {
    // A key that was imported counts when its signer lists it: looking again at once, its owner waits no longer than need be.
    if (await this.once(chain, lease)) await this.once(chain, lease)
  }

  private async once(chain: string, lease: Lease): Promise<boolean> {
    const holders = await this.lists.of(chain, lease)
    const reading = this.observer.open(chain, lease)
    // A key may be gone from where it was in order, and be where it must not be.
    const changed = holders.changedSince(this.listed.get(chain))
    let imported = false
    let afterSerial = 0
    while (true) {
      lease.signal.throwIfAborted()
      const rows = await this.repository.listDue({ chain, afterSerial, limit: PAGE, changed })
      const last = rows.at(-1)
      if (!last) break
      if (await this.pages.keep({ reading, lease, holders, rows })) imported = true
      afterSerial = last.serial
    }
    this.listed.set(chain, holders)
    return imported
  }
}
