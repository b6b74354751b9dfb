import { Injectable } from '@nestjs/common'
import { LoadRepository } from './load.repository.js'
import { MergeRepository } from './merge.repository.js'
import { MERGE_STAGES, type MergeStep } from './merge-steps.js'
import { StateRepository } from './state.repository.js'
import { WriterService } from './writer.service.js'
import type { WriterRun } from './writer-run.js'

/** Builds the index from the staged rows, step by step: a crash loses only the steps that are not committed. */
@Injectable()
export class BulkMergerService {
  constructor(
    private readonly writer: WriterService,
    private readonly merges: MergeRepository,
    private readonly loads: LoadRepository,
    private readonly states: StateRepository,
  ) {}

  async merge(run: WriterRun): Promise<void> {
    const done = await this.merges.listDone()
    for (const stage of MERGE_STAGES)
      await this.runAll(
        stage.filter(({ number }) => !done.has(number)),
        run,
      )
    await this.writer.transaction(async (client) => {
      await this.merges.finish(client)
      await this.loads.dropStaging(client)
      await this.states.updatePhase(client, 'tip')
      await this.states.notifyTip(client)
    })
  }

  /** Runs several steps at a time; none is still running when it settles. */
  private async runAll(steps: readonly MergeStep[], { settings, signal }: WriterRun): Promise<void> {
    const waiting = [...steps]
    const work = async () => {
      for (let step = waiting.shift(); step && !signal.aborted; step = waiting.shift()) await this.run(step, settings.bulkMemoryMb)
    }
    const stop = (error: unknown) => {
      waiting.length = 0
      throw error
    }
    const outcomes = await Promise.allSettled(Array.from({ length: settings.bulkWorkers }, () => work().catch(stop)))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    signal.throwIfAborted()
  }

  private async run(step: MergeStep, memoryMb: number): Promise<void> {
    await this.writer.transaction((client) => this.merges.run(client, step, memoryMb))
  }
}
