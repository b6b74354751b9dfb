import { Controller } from '@nestjs/common'
import { activityRecorded } from '@trestle/contracts/activity'
import type { PayloadOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { EventsService } from './events.service.js'

@Controller()
export class EventsConsumer {
  constructor(private readonly events: EventsService) {}

  @ConsumesBatch(activityRecorded, { durable: 'events' })
  record(payloads: PayloadOf<typeof activityRecorded>[], publishers: readonly string[]): Promise<void> {
    return this.events.record(
      payloads.flatMap(({ activities }, i) => activities.map((each) => ({ ...each, service: publishers[i] ?? each.service }))),
    )
  }
}
