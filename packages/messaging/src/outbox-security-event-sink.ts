import { Injectable, Optional } from '@nestjs/common'
import { type SecurityEvent, securityEventsRecorded } from '@trestle/contracts/security-event'
import { groupCommit } from '@trestle/database/batching'
import { SecurityEventSink } from '@trestle/runtime/security-trail'
import { Pool } from 'pg'
import { MessagingOptions } from './messaging-options.js'
import { Outbox } from './outbox.js'
import { storableJson } from './storable-json.js'
import { Streams, subjectOf } from './streams.js'

const MAX_GROUP = 100

/** Records security events through the outbox; without a database, once JetStream has acknowledged. */
@Injectable()
export class OutboxSecurityEventSink extends SecurityEventSink {
  private readonly store: (event: SecurityEvent) => Promise<void>

  constructor(options: MessagingOptions, streams: Streams, @Optional() pool?: Pool, @Optional() outbox?: Outbox) {
    super()
    this.store =
      pool && outbox
        ? groupCommit((events) => addToOutbox(pool, outbox, events), MAX_GROUP)
        : (event) => publish(streams, options.service, event)
  }

  record(event: SecurityEvent): Promise<void> {
    return this.store(event)
  }
}

async function addToOutbox(pool: Pool, outbox: Outbox, events: SecurityEvent[]): Promise<void> {
  await outbox.add(pool, securityEventsRecorded, { events })
  outbox.wake()
}

async function publish(streams: Streams, service: string, event: SecurityEvent): Promise<void> {
  const subject = subjectOf(securityEventsRecorded, service)
  await streams.publish({ ...securityEventsRecorded, subject, id: event.id, body: storableJson({ events: [event] }), headers: {} })
}
