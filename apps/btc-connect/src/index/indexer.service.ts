import { Injectable } from '@nestjs/common'
import { BulkLoader } from './bulk-loader.service.js'
import { BulkMerger } from './bulk-merger.service.js'
import { conditionOf, progressTo } from './condition.js'
import type { Run } from './run.js'
import { StateService } from './state.service.js'
import { TipFollower } from './tip-follower.service.js'

/** Writes the index. What to do next is read from what is there, never remembered: to be killed is to begin at the same place again. */
@Injectable()
export class Indexer {
  constructor(
    private readonly state: StateService,
    private readonly loader: BulkLoader,
    private readonly merger: BulkMerger,
    private readonly follower: TipFollower,
  ) {}

  /** Waits until this process is the writer. */
  begin(stop: AbortSignal): Promise<Run> {
    return this.state.begin(stop)
  }

  end(): Promise<void> {
    return this.state.end()
  }

  /** Does the next thing, and answers whether there may be more to do at once. */
  async turn(run: Run): Promise<boolean> {
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
  async tell(error: unknown): Promise<void> {
    const condition = conditionOf(error)
    if (condition) await this.state.tell(condition)
  }

  private async load(run: Run): Promise<boolean> {
    const { sight, more } = await this.loader.load(run)
    if (!more) await this.state.tell(progressTo(sight.ours.height, sight.node), sight.node)
    return more
  }

  private async follow(run: Run): Promise<boolean> {
    const { sight, course } = await this.follower.follow(run)
    if (course.does === 'load') await this.loader.begin()
    if (course.does === 'rest') await this.state.tell(progressTo(sight.ours.height, sight.node), sight.node)
    return course.does !== 'rest'
  }
}
