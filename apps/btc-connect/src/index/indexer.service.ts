import { Injectable } from '@nestjs/common'
import { BulkLoaderService } from './bulk-loader.service.js'
import { BulkMergerService } from './bulk-merger.service.js'
import { conditionOf, progressTo } from './condition.js'
import { StateService } from './state.service.js'
import { TipFollowerService } from './tip-follower.service.js'
import type { WriterRun } from './writer-run.js'

/** Writes the index. What to do next is read from what is there, never remembered: to be killed is to begin at the same place again. */
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

  /** Does the next thing, and answers whether there may be more to do at once. */
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

  /** Tells others what is wrong with the node, if that is what it is. */
  async report(error: unknown): Promise<void> {
    const condition = conditionOf(error)
    if (condition) await this.state.report(condition)
  }

  private async load(run: WriterRun): Promise<boolean> {
    const { sight, more } = await this.loader.load(run)
    if (!more) await this.state.report(progressTo(sight.ours.height, sight.node), sight.node)
    return more
  }

  private async follow(run: WriterRun): Promise<boolean> {
    const { sight, course } = await this.follower.follow(run)
    if (course.does === 'load') await this.loader.begin()
    if (course.does === 'rest') await this.state.report(progressTo(sight.ours.height, sight.node), sight.node)
    return course.does !== 'rest'
  }
}
