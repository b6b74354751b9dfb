import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { ChainKeeper } from './chain-keeper.service.js'
import { ChainObserver, type ChainReading } from './chain-observer.service.js'
import { ExitSender } from './exit-sender.service.js'
import type { Holders } from './holders.js'
import type { Row } from './row.js'
import { SignerKeeper } from './signer-keeper.service.js'

export interface Page {
  readonly reading: ChainReading
  readonly lease: Lease
  readonly holders: Holders
  readonly rows: readonly Row[]
}

/** Looks at some validators on the chain, sends what exits are due, and then sees to their signers. */
@Injectable()
export class PageKeeper {
  constructor(
    private readonly observer: ChainObserver,
    private readonly keeper: ChainKeeper,
    private readonly exits: ExitSender,
    private readonly signers: SignerKeeper,
  ) {}

  /** Answers whether keys were imported. */
  async keep({ reading, lease, holders, rows }: Page): Promise<boolean> {
    const view = await this.observer.observe(reading, lease, rows)
    const observed = view ? await this.keeper.keep(lease, view, rows) : rows
    if (view) await this.exits.send(lease, view, observed)
    const chain = view?.chain ?? (await this.observer.chain(reading.name))
    return this.signers.keep({ lease, chain, holders, view }, observed)
  }
}
