import { Injectable } from '@nestjs/common'
import type { ChainTip } from '../node/block-source.js'
import { addRows } from './block-rows.js'
import { ChainComparisonService } from './chain-comparison.service.js'
import { progressTo } from './condition.js'
import { LoadRepository } from './load.repository.js'
import type { ChainComparison } from './next-step.js'
import { Rate } from './rate.js'
import { StagedRows } from './staged-rows.js'
import { StateRepository } from './state.repository.js'
import { WriterService } from './writer.service.js'
import type { WriterRun } from './writer-run.js'

/** With so few blocks left the load ends; they are counted to the end of the chain that the node itself is still downloading. */
const MAX_BLOCKS_LEFT = 6

/** Fills an empty index, range by range: a crash loses only the range that is not committed. */
@Injectable()
export class BulkLoaderService {
  private rate?: Rate

  constructor(
    private readonly writer: WriterService,
    private readonly loads: LoadRepository,
    private readonly states: StateRepository,
    private readonly chains: ChainComparisonService,
  ) {}

  async begin(): Promise<void> {
    await this.writer.transaction(async (client) => {
      await this.loads.prepare(client)
      await this.states.updatePhase(client, 'load')
    })
  }

  /** Stages the blocks that the node has and the index has not, or moves on to the merge. Returns whether there may be more to do. */
  async load(run: WriterRun): Promise<{ comparison: ChainComparison; more: boolean }> {
    const comparison = await this.chains.compare(run)
    const { ours, node } = comparison
    const isNearTip = ours.hash && (node.goal ?? node.height) - ours.height <= MAX_BLOCKS_LEFT
    if (!comparison.agrees) await this.trim(await this.chains.findFork(comparison, run))
    else if (isNearTip) await this.writer.transaction((client) => this.states.updatePhase(client, 'merge'))
    else return { comparison, more: await this.stage(comparison, run) }
    return { comparison, more: true }
  }

  private async stage({ ours, node }: ChainComparison, { signal, rules, settings }: WriterRun): Promise<boolean> {
    this.rate ??= new Rate(performance.now())
    const { rate } = this
    let [filling, other] = [new StagedRows(settings.storeRaw), new StagedRows(settings.storeRaw)]
    let end = ours
    let committed = Promise.resolve()
    try {
      for await (const block of this.chains.blocksAfter(end, { node, signal })) {
        end = addRows(filling, block, end, rules)
        if (filling.bytes < settings.rangeBytes) continue
        await committed
        committed = this.commit(filling, node, rate)
        // Awaited before the next commit or at the end; until then a failure is not unhandled.
        committed.catch(() => {})
        ;[filling, other] = [other, filling]
      }
    } finally {
      await committed
    }
    await this.commit(filling, node, rate)
    return end !== ours
  }

  private async commit(rows: StagedRows, node: ChainTip, rate: Rate): Promise<void> {
    const { span } = rows
    if (!span) return
    const blocksPerSecond = rate.add(span.lastHeight - span.firstHeight + 1, performance.now())
    await this.writer.transaction(async (client) => {
      await this.loads.add(client, rows)
      const condition = progressTo(Math.min(span.lastHeight, node.height - 1), node)
      await this.states.updateCondition(client, { condition, node, blocksPerSecond })
    })
    rows.clear()
  }

  private async trim(height: number): Promise<void> {
    await this.writer.transaction((client) => this.loads.trim(client, height))
  }
}
