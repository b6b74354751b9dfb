import { Controller } from '@nestjs/common'
import type { PayloadOf } from '@trestle/contracts/message'
import { securityEventsRecorded } from '@trestle/contracts/security-event'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { SecurityLogService } from './security-log.service.js'

@Controller()
export class SecurityLogConsumer {
  constructor(private readonly log: SecurityLogService) {}

  @ConsumesBatch(securityEventsRecorded, { durable: 'security-log' })
  record(payloads: PayloadOf<typeof securityEventsRecorded>[], publishers: readonly string[]): Promise<void> {
    return this.log.record(
      payloads.flatMap(({ events }, i) => events.map((event) => ({ ...event, service: publishers[i] ?? event.service }))),
    )
  }
}
