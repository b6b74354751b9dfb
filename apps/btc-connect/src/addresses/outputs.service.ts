import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { parseTransaction } from '@trestle/bitcoin/transaction'
import { MAX_UNSPENT_OUTPUTS, type UnspentOutput } from '@trestle/contracts/btc-connect/addresses'
import type { WritableReply } from '@trestle/contracts/endpoint'
import type { ReadResult } from '../edge/read-result.js'
import { type Snapshot, SnapshotsService } from '../reading/snapshots.service.js'
import { RULES } from '../settings.module.js'
import { type AddressList, type NamedScript, parseAddresses } from './address.js'
import { OutputsRepository } from './outputs.repository.js'
import { type Heights, inOrder, isBounded, requireListable, toConfirmed, toUnconfirmed, type UnconfirmedOutput } from './unspent-output.js'

@Injectable()
export class OutputsService {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly outputs: OutputsRepository,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  list(addresses: AddressList, heights: Heights): Promise<ReadResult<WritableReply<UnspentOutput[]>>> {
    return this.listOf(parseAddresses(addresses, this.rules), heights)
  }

  /** Those of scripts that are all different. */
  listOf(named: readonly NamedScript[], heights: Heights): Promise<ReadResult<WritableReply<UnspentOutput[]>>> {
    return this.snapshots.read(async (snapshot) => {
      const owners = new Map(named.map((each) => [snapshot.keyOf(each.script), each]))
      const ownerOf = (key: string) => owners.get(key) as NamedScript
      const keys = [...owners.keys()]
      if (!isBounded(heights)) requireListable(await this.outputs.count(snapshot.client, keys))
      const unconfirmed = heights.maxHeight === undefined ? await this.unconfirmed(snapshot, keys) : []
      const confirmed = await this.outputs.listConfirmed(snapshot.client, keys, heights, MAX_UNSPENT_OUTPUTS + 1)
      requireListable(unconfirmed.length + confirmed.length)
      const { height } = snapshot.tip
      const body = [
        ...unconfirmed.map((each) => toUnconfirmed(each, ownerOf(each.key).address)),
        ...inOrder(confirmed).map((each) => toConfirmed(each, ownerOf(each.key), height)),
      ]
      return { body, height }
    })
  }

  private async unconfirmed({ client }: Snapshot, keys: readonly string[]): Promise<UnconfirmedOutput[]> {
    const outputs = await this.outputs.listUnconfirmed(client, keys, MAX_UNSPENT_OUTPUTS + 1)
    if (outputs.length === 0) return []
    const raw = await this.outputs.listRaw(client, [...new Map(outputs.map(({ txid }) => [txid.toString('hex'), txid])).values()])
    const parsed = new Map([...raw].map(([txid, bytes]) => [txid, parseTransaction(bytes, this.rules.coin)]))
    return outputs.map((output) => {
      const script = parsed.get(output.txid.toString('hex'))?.outputs[output.vout]?.script
      return { ...output, script: script ?? Buffer.alloc(0) }
    })
  }
}
