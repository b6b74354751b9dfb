import { Injectable, Optional } from '@nestjs/common'
import { type Activity, activityRecorded } from '@trestle/contracts/activity'
import { gatherWrites } from '@trestle/database/gather'
import { ActivitySink } from '@trestle/runtime/activity'
import { Pool } from 'pg'
import { ActivityBuffer } from './activity-buffer.js'
import { Outbox } from './outbox.js'
import { storable } from './storable.js'

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
      pool && outbox ? gatherWrites((activities) => tell(pool, outbox, activities), MAX_GATHERED) : (one) => buffer.publish([storable(one)])
  }

  record(activity: Activity, recording: 'durable' | 'batched'): Promise<void> | void {
    return recording === 'durable' ? this.store(activity) : this.buffer.add(activity)
  }
}

async function tell(pool: Pool, outbox: Outbox, activities: Activity[]): Promise<void> {
  await outbox.add(pool, activityRecorded, { activities })
  outbox.wake()
}
