import { randomUUID } from 'node:crypto'
import type { DomainEvent, PayloadOf } from '@trestle/contracts/message'
import { Streams } from '@trestle/messaging/streams'
import type { RunningService } from '@trestle/runtime/boot-service'

/** Publishes events as the outbox of a service would, signed if it has the root key. */
export function publishAt({ app }: RunningService) {
  const streams = app.get(Streams, { strict: false })
  return async <E extends DomainEvent>({ subject, stream }: E, payload: PayloadOf<E>): Promise<void> => {
    await streams.publish({ id: randomUUID(), subject, stream, body: JSON.stringify(payload), headers: {} })
  }
}
