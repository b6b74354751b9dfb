import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainObserverService, type ChainReading } from './chain-observer.service.js'
import { ExitSenderService } from './exit-sender.service.js'
import type { KeyHolders } from './key-holders.js'
import { ObservationsService } from './observations.service.js'
import { SignerReconcilerService } from './signer-reconciler.service.js'
import type { ValidatorRecord } from './validator-record.js'

interface Batch {
  readonly reading: ChainReading
  readonly lease: Lease
  readonly holders: KeyHolders
  readonly records: readonly ValidatorRecord[]
}

/** Reconciles some validators: reads them from the chain, sends due exits, then reconciles their signers. */
@Injectable()
export class BatchReconcilerService {
  constructor(
    private readonly observer: ChainObserverService,
    private readonly observations: ObservationsService,
    private readonly exits: ExitSenderService,
    private readonly signers: SignerReconcilerService,
  ) {}

  /** True if keys were imported. */
  async reconcile({ reading, lease, holders, records }: Batch): Promise<boolean> {
    const view = await this.observer.observe(reading, lease, records)
    await this.observations.explain(lease, reading.name, view ? undefined : reading.problem())
    const observed = view ? await this.observations.record(lease, view, records) : records
    if (view) await this.exits.send(lease, view, observed)
    const chain = view?.chain ?? (await reading.chain())
    return this.signers.reconcile({ lease, chain, holders, view }, observed)
  }
}
