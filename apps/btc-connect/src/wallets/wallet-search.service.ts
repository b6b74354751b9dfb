import { setImmediate as nextTurn } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { MAX_WALLET_ADDRESSES } from '@trestle/contracts/btc-connect/wallets'
import { AddressesService } from '../addresses/addresses.service.js'
import { type Snapshot, SnapshotsService } from '../reading/snapshots.service.js'
import { RULES } from '../settings.module.js'
import { type DerivedWallet, DerivedWallets } from './derived-wallets.engine.js'
import { type FoundScript, isUsed, walletTooLarge } from './wallet.js'

export interface WalletQuery {
  readonly xpub: string
  /** How many unused addresses end the search of a branch. */
  readonly gap: number
}

interface FoundWallet {
  readonly snapshot: Snapshot
  /** Its descriptor. */
  readonly text: string
  /** By branch and index, with those of the gap. */
  readonly scripts: readonly FoundScript[]
}

interface Part {
  readonly branch: number
  readonly first: number
  readonly end: number
}

// To derive so many takes some milliseconds, in which nobody else is served.
const DERIVED_AT_ONCE = 20

/** The addresses of a wallet, up to a gap of unused ones (BIP 44). Nothing about a key is stored. */
@Injectable()
export class WalletSearchService {
  private readonly wallets: DerivedWallets

  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly addresses: AddressesService,
    @Inject(RULES) rules: ChainRules,
  ) {
    this.wallets = new DerivedWallets(rules)
  }

  read<T>({ xpub, gap }: WalletQuery, work: (found: FoundWallet) => Promise<T>): Promise<T> {
    const wallet = this.wallets.get(xpub)
    return this.snapshots.read(async (snapshot) => work({ snapshot, text: wallet.text, scripts: await this.find(snapshot, wallet, gap) }))
  }

  private async find(snapshot: Snapshot, wallet: DerivedWallet, gap: number): Promise<FoundScript[]> {
    const found: FoundScript[] = []
    for (let branch = 0; branch < wallet.descriptor.branches; branch++) {
      for await (const part of this.partsOf(snapshot, wallet, { branch, gap })) {
        found.push(...part)
        if (found.length > MAX_WALLET_ADDRESSES) throw walletTooLarge()
      }
    }
    return found
  }

  private async *partsOf(snapshot: Snapshot, wallet: DerivedWallet, { branch, gap }: { branch: number; gap: number }) {
    let end = wallet.descriptor.isRanged ? gap : 1
    for (let first = 0; first < end; first += DERIVED_AT_ONCE) {
      const part = await this.findPart(snapshot, wallet, { branch, first, end: Math.min(end, first + DERIVED_AT_ONCE) })
      yield part
      const last = wallet.descriptor.isRanged && part.findLast(isUsed)
      if (last) end = last.index + 1 + gap
    }
  }

  private async findPart(snapshot: Snapshot, wallet: DerivedWallet, { branch, first, end }: Part): Promise<FoundScript[]> {
    await nextTurn()
    const scripts = Array.from({ length: end - first }, (_, i) => wallet.scriptAt(branch, first + i))
    const totals = await this.addresses.totalsOf(snapshot, scripts)
    return scripts.flatMap((script, i) => (totals[i] ? [{ ...script, totals: totals[i] }] : []))
  }
}
