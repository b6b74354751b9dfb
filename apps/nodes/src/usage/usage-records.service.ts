import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { ActivitySink } from '@trestle/runtime/activity'
import { Clock } from '@trestle/runtime/clock'
import type { WorkloadSums } from './sums.js'
import { activityOf } from './usage-activity.js'

/** Leaves the activity records of calls. */
@Injectable()
export class UsageRecords {
  #toldUntil: Date

  constructor(
    private readonly sink: ActivitySink,
    private readonly clock: Clock,
  ) {
    this.#toldUntil = clock.now()
  }

  /** Of what was counted since the last time. */
  record(counts: readonly WorkloadSums[]): void {
    const from = this.#toldUntil
    const to = this.clock.now()
    this.#toldUntil = to
    for (const each of counts) void this.sink.record(activityOf(each, { id: randomUUID(), from, to }), 'batched')
  }
}
