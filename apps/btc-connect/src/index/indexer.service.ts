import { Injectable } from '@nestjs/common'
import { BulkLoaderService } from './bulk-loader.service.js'
import { BulkMergerService } from './bulk-merger.service.js'
import { conditionOf, progressTo } from './condition.js'
import { StateService } from './state.service.js'
import { TipFollowerService } from './tip-follower.service.js'
import type { WriterRun } from './writer-run.js'

/** Writes the index. Each step is derived from the stored state, so a killed writer continues where it was. */
@Injectable()
export class IndexerService {
  constructor(
    private readonly state: StateService,
    private readonly loader: BulkLoaderService,
    private readonly merger: BulkMergerService,
    private readonly follower: TipFollowerService,
  ) {}

  /** Waits until this process is the writer. */
  begin(stop: AbortSignal): Promise<WriterRun> {
    return this.state.begin(stop)
  }

  end(): Promise<void> {
    return this.state.end()
  }

  /** Runs the next step; returns whether there may be more to do at once. */
  async step(run: WriterRun): Promise<boolean> {
    switch (await this.state.phase()) {
      case 'load':
        return this.load(run)
      case 'merge':
        await this.merger.merge(run)
        return true
      case 'tip':
        return this.follow(run)
    }
  }

  /** Records what is wrong with the node, if the error is about it. */
  async report(error: unknown): Promise<void> {
    const condition = conditionOf(error)
    if (condition) await this.state.report(condition)
  }

  private async load(run: WriterRun): Promise<boolean> {
    const { comparison, more } = await this.loader.load(run)
    if (!more) await this.state.report(progressTo(comparison.ours.height, comparison.node), comparison.node)
    return more
  }

  private async follow(run: WriterRun): Promise<boolean> {
    const { comparison, step } = await this.follower.follow(run)
    if (step.kind === 'load') await this.loader.begin()
    if (step.kind === 'wait') await this.state.report(progressTo(comparison.ours.height, comparison.node), comparison.node)
    return step.kind !== 'wait'
  }
}
