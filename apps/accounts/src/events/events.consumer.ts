import { Controller } from '@nestjs/common'
import { activityRecorded } from '@trestle/contracts/activity'
import type { PayloadOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { SessionsService } from '../sessions/sessions.service.js'
import { EventsService } from './events.service.js'

@Controller()
export class EventsConsumer {
  constructor(
    private readonly events: EventsService,
    private readonly sessions: SessionsService,
  ) {}

  @ConsumesBatch(activityRecorded, { durable: 'events' })
  async record(payloads: PayloadOf<typeof activityRecorded>[], publishers: readonly string[]): Promise<void> {
    const activities = payloads.flatMap((payload, i) =>
      payload.activities.map((each) => ({ ...each, service: publishers[i] ?? each.service })),
    )
    await this.events.record(activities)
    await this.sessions.recordUses(activities)
  }
}
