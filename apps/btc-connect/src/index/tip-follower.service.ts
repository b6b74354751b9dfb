import { Injectable } from '@nestjs/common'
import { addRows } from './block-rows.js'
import { ChainComparisonService } from './chain-comparison.service.js'
import { type ChainComparison, type NextStep, nextStepAtTip } from './next-step.js'
import { RollbackService } from './rollback.service.js'
import { StateRepository } from './state.repository.js'
import { TipRows } from './tip-rows.js'
import { TipWriterService } from './tip-writer.service.js'
import type { WriterRun } from './writer-run.js'

/** So close to the tip, each block is committed on its own; further away, blocks are committed together up to so many transactions. */
const NEAR_BLOCKS = 6
const MAX_SHARED_TRANSACTIONS = 10_000

/** Brings the index to the node's chain, a step at a time. */
@Injectable()
export class TipFollowerService {
  constructor(
    private readonly chains: ChainComparisonService,
    private readonly tip: TipWriterService,
    private readonly rollback: RollbackService,
    private readonly states: StateRepository,
  ) {}

  /** Takes the next step, unless it is a bulk load. */
  async follow(run: WriterRun): Promise<{ comparison: ChainComparison; step: NextStep }> {
    const comparison = await this.chains.compare(run)
    const step = nextStepAtTip(comparison, run.settings)
    if (step.kind === 'connect') await this.connect(comparison, run)
    if (step.kind === 'roll-back') await this.rollBack(step.to, comparison, run)
    if (step.kind === 'find-fork') await this.rollBack(await this.chains.findFork(comparison, run), comparison, run)
    return { comparison, step }
  }

  private async connect({ ours, node }: ChainComparison, run: WriterRun): Promise<void> {
    let end = ours
    let rows = new TipRows(run.settings.storeRaw)
    for await (const block of this.chains.blocksAfter(ours, { node, signal: run.signal })) {
      end = addRows(rows, block, end, run.rules)
      if (node.height - end.height >= NEAR_BLOCKS && rows.transactions < MAX_SHARED_TRANSACTIONS) continue
      await this.tip.connect(rows, node, run)
      rows = new TipRows(run.settings.storeRaw)
    }
    await this.tip.connect(rows, node, run)
  }

  private async rollBack(to: number, { ours, node }: ChainComparison, run: WriterRun): Promise<void> {
    if (ours.height - to > (await this.states.countUndoable())) return this.rollback.disconnectFrom(to + 1, node)
    for (let { height } = ours; height > to; height--) {
      run.signal.throwIfAborted()
      await this.disconnect(height, { ...run, node })
    }
  }

  private async disconnect(height: number, run: WriterRun & Pick<ChainComparison, 'node'>): Promise<void> {
    const hash = await this.states.findHash(height)
    const stored = await this.rollback.findStored(height, run)
    const transactions = stored ?? (hash && (await this.chains.findBlock(hash, run.signal))?.transactions) ?? []
    await this.rollback.disconnectLast(height, transactions, run)
  }
}
