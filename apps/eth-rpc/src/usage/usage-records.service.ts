import { randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { ActivitySink } from '@trestle/runtime/activity'
import { Clock } from '@trestle/runtime/clock'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { ProjectCounts } from './meter.js'
import { activityOf } from './usage-activity.js'

/** Leaves the activity records of calls. */
@Injectable()
export class UsageRecords {
  #toldUntil: Date

  constructor(
    @Inject(ENV) private readonly env: EthRpcEnv,
    private readonly sink: ActivitySink,
    private readonly clock: Clock,
  ) {
    this.#toldUntil = clock.now()
  }

  /** Of what was counted since the last time. */
  record(counts: readonly ProjectCounts[]): void {
    const from = this.#toldUntil
    const to = this.clock.now()
    this.#toldUntil = to
    for (const each of counts)
      void this.sink.record(activityOf(each, { id: randomUUID(), service: this.env.DEPLOYMENT, from, to }), 'batched')
  }
}
