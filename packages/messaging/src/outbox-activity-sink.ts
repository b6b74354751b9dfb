import { Injectable, Optional } from '@nestjs/common'
import { type Activity, activityRecorded } from '@trestle/contracts/activity'
import { groupCommit } from '@trestle/database/batching'
import { ActivitySink } from '@trestle/runtime/activity'
import { Pool } from 'pg'
import { ActivityBuffer } from './activity-buffer.js'
import { Outbox } from './outbox.js'
import { storableJson } from './storable-json.js'

const MAX_GATHERED = 100

/** Records activity: durably through the outbox (or, without a database, acknowledged by JetStream), or batched. */
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
        ? groupCommit((activities) => tell(pool, outbox, activities), MAX_GATHERED)
        : (one) => buffer.publish([storableJson(one)])
  }

  record(activity: Activity, recording: 'durable' | 'batched'): Promise<void> | void {
    return recording === 'durable' ? this.store(activity) : this.buffer.add(activity)
  }
}

async function tell(pool: Pool, outbox: Outbox, activities: Activity[]): Promise<void> {
  await outbox.add(pool, activityRecorded, { activities })
  outbox.wake()
}
