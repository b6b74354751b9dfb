import { Injectable, Optional } from '@nestjs/common'
import { type Activity, activityRecorded } from '@trestle/contracts/activity'
import { groupCommit } from '@trestle/database/batching'
import { ActivitySink } from '@trestle/runtime/activity'
import { Pool } from 'pg'
import { ActivityBuffer } from './activity-buffer.js'
import { Outbox } from './outbox.js'
import { storableJson } from './storable-json.js'

const MAX_GROUP = 100

/** Records activity: batched, or durably through the outbox (without a database, once JetStream has acknowledged). */
@Injectable()
export class OutboxActivitySink extends ActivitySink {
  private readonly store: (activity: Activity) => Promise<void>

  constructor(
    private readonly buffer: ActivityBuffer,
    @Optional() pool?: Pool,
    @Optional() outbox?: Outbox,
  ) {
    super()
    this.store =
      pool && outbox
        ? groupCommit((activities) => addToOutbox(pool, outbox, activities), MAX_GROUP)
        : (activity) => buffer.publish([storableJson(activity)])
  }

  record(activity: Activity, recording: 'durable' | 'batched'): Promise<void> | void {
    return recording === 'durable' ? this.store(activity) : this.buffer.add(activity)
  }
}

async function addToOutbox(pool: Pool, outbox: Outbox, activities: Activity[]): Promise<void> {
  await outbox.add(pool, activityRecorded, { activities })
  outbox.wake()
}
