import { z } from 'zod'
import { endpoint } from './endpoint.js'
import { queryInteger, Timestamp } from './fields.js'

/** Counting stops here. */
export const MAX_COUNTED_WAITING = 10_000

export const OutboxState = z
  .object({
    waiting: z
      .int()
      .max(MAX_COUNTED_WAITING)
      .meta({ description: `Counted up to ${MAX_COUNTED_WAITING}.` }),
    next: z
      .array(z.object({ id: z.uuid(), fact: z.string(), createdAt: Timestamp }))
      .meta({ description: 'The first of them, in publishing order.' }),
  })
  .meta({ id: 'OutboxState' })
export type OutboxState = z.infer<typeof OutboxState>

export const DeadLetter = z
  .object({
    id: z.uuid(),
    fact: z.string().meta({ description: 'Its subject, such as `accounts.user.disabled`.' }),
    consumer: z.string(),
    content: z.string().meta({ description: 'Its first 1000 bytes.' }),
    error: z.string(),
    attempts: z.int(),
    givenUpAt: Timestamp,
  })
  .meta({ id: 'DeadLetter' })
export type DeadLetter = z.infer<typeof DeadLetter>

const Id = z.object({ id: z.uuid() })

/** The outbox and the dead letters of a service, for administrators; `prefix` is that of a service whose paths begin with one. */
export function deliveryEndpoints<const P extends string>(prefix: P) {
  return {
    outbox: endpoint({
      method: 'GET',
      path: `/${prefix}outbox`,
      summary: 'The number of domain events waiting to be published, and the first 20 of them.',
      access: 'manager',
      status: 200,
      reply: OutboxState,
    }),
    deadLetters: endpoint({
      method: 'GET',
      path: `/${prefix}dead-letters`,
      summary: 'Domain events that this service failed to process, newest first.',
      access: 'manager',
      query: z.object({ limit: queryInteger(1, 200).optional() }),
      status: 200,
      reply: z.array(DeadLetter),
    }),
    retry: endpoint({
      method: 'POST',
      path: `/${prefix}dead-letters/{id}/retry`,
      summary: 'Process a dead letter again. On success it is removed from the list.',
      access: 'manager',
      params: Id,
      status: 204,
      problems: ['UnknownDeadLetter', 'ConsumerGone', 'GivenUpAgain'],
    }),
    discard: endpoint({
      method: 'DELETE',
      path: `/${prefix}dead-letters/{id}`,
      summary: 'Discard a dead letter: it will never be processed.',
      access: 'manager',
      params: Id,
      status: 204,
      problems: ['UnknownDeadLetter'],
    }),
  }
}

export type DeliveryEndpoints = ReturnType<typeof deliveryEndpoints>
