import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { AddressSummary, AddressSums } from '@trestle/contracts/btc-connect/addresses'
import type { ExactNumber, WritableReply } from '@trestle/contracts/endpoint'
import type { ReadResult } from '../edge/read-result.js'
import { inSatoshis } from '../exact-number.js'
import { HistoryService } from '../history/history.service.js'
import { type Snapshot, SnapshotsService } from '../reading/snapshots.service.js'
import { RULES } from '../settings.module.js'
import {
  type AddressList,
  type AddressTotals,
  addedUp,
  type NamedScript,
  parseAddresses,
  parseNamedAddress,
  toAddress,
  toFigures,
} from './address.js'
import { idRange } from './range.js'
import { TotalsRepository } from './totals.repository.js'

interface SummaryRequest {
  readonly from?: number
  readonly to?: number
  readonly noTxList?: boolean
}

@Injectable()
export class AddressesService {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly totals: TotalsRepository,
    private readonly history: HistoryService,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  summary(address: string, { noTxList = false, ...asked }: SummaryRequest): Promise<ReadResult<WritableReply<AddressSummary>>> {
    const { script } = parseNamedAddress(address, this.rules)
    const range = idRange(asked)
    return this.snapshots.read(async (snapshot) => {
      const key = snapshot.keyOf(script)
      const totals = await this.totals.find(snapshot.client, key)
      const ids = noTxList ? undefined : await this.ids(snapshot, key, range)
      return { body: toAddress(address, totals, ids), height: snapshot.tip.height }
    })
  }

  total(address: string, choose: (totals: AddressTotals) => bigint): Promise<ReadResult<ExactNumber>> {
    const { script } = parseNamedAddress(address, this.rules)
    return this.snapshots.read(async (snapshot) => {
      const totals = await this.totals.find(snapshot.client, snapshot.keyOf(script))
      return { body: inSatoshis(choose(totals)), height: snapshot.tip.height }
    })
  }

  sum(addresses: AddressList): Promise<ReadResult<WritableReply<AddressSums>>> {
    const named = parseAddresses(addresses, this.rules)
    return this.snapshots.read(async (snapshot) => {
      const totals = await this.totalsOf(snapshot, named)
      const keys = named.map(({ script }) => snapshot.keyOf(script))
      const transactions = await this.history.count(snapshot, keys)
      return { body: { addresses: named.length, ...toFigures(addedUp(totals)), transactions }, height: snapshot.tip.height }
    })
  }

  /** Of each script, in their order. */
  totalsOf({ client, keyOf }: Snapshot, scripts: readonly NamedScript[]): Promise<AddressTotals[]> {
    return this.totals.findEach(
      client,
      scripts.map(({ script }) => keyOf(script)),
    )
  }

  private async ids(snapshot: Snapshot, key: string, range: ReturnType<typeof idRange>): Promise<string[]> {
    const { entries } = await this.history.page(snapshot, key, range)
    return entries.map(({ txid }) => txid.toString('hex'))
  }
}
