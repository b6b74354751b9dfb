import { Injectable } from '@nestjs/common'
import { addRows } from './block-rows.js'
import { ChainsService } from './chains.service.js'
import { type ChainComparison, type NextStep, nextStep } from './next-step.js'
import { RollbackService } from './rollback.service.js'
import { StateRepository } from './state.repository.js'
import { TipRows } from './tip-rows.js'
import { TipWriterService } from './tip-writer.service.js'
import type { WriterRun } from './writer-run.js'

/** So near to the tip each block has a transaction of its own; further away they share one, up to so many transactions of theirs. */
const NEAR_BLOCKS = 6
const SHARED_TRANSACTIONS = 10_000

/** Makes our chain what the node's is, a step at a time. */
@Injectable()
export class TipFollowerService {
  constructor(
    private readonly chains: ChainsService,
    private readonly tip: TipWriterService,
    private readonly rollback: RollbackService,
    private readonly states: StateRepository,
  ) {}

  /** Does what is to be done next, unless that is to load. */
  async follow(run: WriterRun): Promise<{ sight: ChainComparison; course: NextStep }> {
    const sight = await this.chains.compare(run)
    const course = nextStep(sight, run.settings)
    if (course.does === 'connect') await this.connect(sight, run)
    if (course.does === 'roll-back') await this.rollBack(course.to, sight, run)
    if (course.does === 'find-fork') await this.rollBack(await this.chains.findFork(sight, run), sight, run)
    return { sight, course }
  }

  private async connect({ ours, node }: ChainComparison, run: WriterRun): Promise<void> {
    let end = ours
    let rows = new TipRows(run.settings.storeRaw)
    for await (const block of this.chains.blocksAfter(ours, { node, signal: run.signal })) {
      end = addRows(rows, block, end, run.rules)
      if (node.height - end.height >= NEAR_BLOCKS && rows.transactions < SHARED_TRANSACTIONS) continue
      await this.tip.connect(rows, node, run)
      rows = new TipRows(run.settings.storeRaw)
    }
    await this.tip.connect(rows, node, run)
  }

  private async rollBack(to: number, { ours, node }: ChainComparison, run: WriterRun): Promise<void> {
    if (ours.height - to > (await this.states.countUndoable())) return this.rollback.disconnectFrom(to + 1, node)
    for (let { height } = ours; height > to; height--) {
      run.signal.throwIfAborted()
      await this.takeBack(height, { ...run, node })
    }
  }

  private async takeBack(height: number, run: WriterRun & Pick<ChainComparison, 'node'>): Promise<void> {
    const hash = await this.states.findHash(height)
    const stored = await this.rollback.findStored(height, run)
    const transactions = stored ?? (hash && (await this.chains.findBlock(hash, run.signal))?.transactions) ?? []
    await this.rollback.disconnectLast(height, transactions, run)
  }
}
