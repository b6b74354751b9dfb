import { Injectable } from '@nestjs/common'
import type { ChainTip } from '../node/block-source.js'
import { progressTo } from './condition.js'
import { MempoolHandoverRepository } from './mempool-handover.repository.js'
import { Rate } from './rate.js'
import { StateRepository } from './state.repository.js'
import { TipRepository } from './tip.repository.js'
import type { TipRows } from './tip-rows.js'
import { WriterService } from './writer.service.js'
import type { WriterRun } from './writer-run.js'

/** Connects blocks at the tip, with their effect on the mempool, in one transaction. */
@Injectable()
export class TipWriterService {
  private rate?: Rate

  constructor(
    private readonly writer: WriterService,
    private readonly tips: TipRepository,
    private readonly handover: MempoolHandoverRepository,
    private readonly states: StateRepository,
  ) {}

  async connect(rows: TipRows, node: ChainTip, { settings }: WriterRun): Promise<void> {
    const height = rows.blocks.at(-1)?.height
    if (height === undefined) return
    this.rate ??= new Rate(performance.now())
    const blocksPerSecond = this.rate.add(rows.blocks.length, performance.now())
    await this.writer.transaction(async (client) => {
      await this.handover.lock(client)
      await this.tips.connect(client, rows)
      await this.tips.deleteUndo(client, height - settings.undoBlocks)
      await this.handover.confirm(client, rows)
      const condition = progressTo(height, { ...node, height: Math.max(height, node.height) })
      await this.states.updateCondition(client, { condition, node, blocksPerSecond })
      await this.states.notifyTip(client)
    })
  }
}
