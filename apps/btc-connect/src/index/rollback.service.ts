import { Injectable } from '@nestjs/common'
import { parseTransaction, type Transaction } from '@trestle/bitcoin/transaction'
import type { ChainTip } from '../node/block-source.js'
import { outputsOf } from './block-rows.js'
import { MempoolHandoverRepository } from './mempool-handover.repository.js'
import { RollbackRepository } from './rollback.repository.js'
import { StateRepository } from './state.repository.js'
import { WriterService } from './writer.service.js'
import type { WriterRun } from './writer-run.js'

/** Disconnects blocks from the tip. */
@Injectable()
export class RollbackService {
  constructor(
    private readonly writer: WriterService,
    private readonly rollbacks: RollbackRepository,
    private readonly handover: MempoolHandoverRepository,
    private readonly states: StateRepository,
  ) {}

  /** The transactions of a block of ours, if they are stored. */
  async findStored(height: number, { chain }: WriterRun): Promise<Transaction[] | undefined> {
    const raw = await this.rollbacks.findRaw(height)
    return raw?.map((bytes) => parseTransaction(bytes, chain.coin))
  }

  /** Disconnects the last block, for which there is an undo row; its transactions, as far as they are known, are unconfirmed again. */
  async disconnectLast(
    height: number,
    transactions: readonly Transaction[],
    { node, rules }: WriterRun & { node: ChainTip },
  ): Promise<void> {
    const unconfirmed = transactions.filter(({ isCoinbase }) => !isCoinbase)
    const outputs = unconfirmed.flatMap((transaction) => outputsOf(transaction, 0, rules))
    await this.writer.transaction(async (client) => {
      await this.handover.lock(client)
      const block = await this.rollbacks.disconnect(client, height, 'by-undo')
      if (block) await this.handover.returnToMempool(client, block, { transactions: unconfirmed, outputs })
      await this.states.updateCondition(client, { condition: { name: 'syncing' }, node })
      await this.states.notifyTip(client)
    })
  }

  /** Disconnects all blocks from this height on, more than there are undo rows for. The mempool is refilled from the node. */
  async disconnectFrom(height: number, node: ChainTip): Promise<void> {
    const detail = `The node's chain differs from block ${height} on. Disconnecting so many blocks takes a while.`
    await this.writer.transaction((client) => this.states.updateCondition(client, { condition: { name: 'deep-reorg', detail }, node }))
    await this.writer.transaction(async (client) => {
      await this.handover.lock(client)
      await this.rollbacks.disconnect(client, height, 'by-scan')
      await this.states.updateCondition(client, { condition: { name: 'syncing' } })
      await this.states.notifyTip(client)
    })
  }
}
