import { z } from 'zod'
import { endpoint } from './endpoint.js'
import { queryInteger, Timestamp } from './fields.js'

/** Nobody has to know how many more there are. */
export const MAX_COUNTED_WAITING = 10_000

export const OutboxState = z
  .object({
    waiting: z
      .int()
      .max(MAX_COUNTED_WAITING)
      .meta({ description: `Counted up to ${MAX_COUNTED_WAITING}.` }),
    next: z
      .array(z.object({ id: z.uuid(), fact: z.string(), createdAt: Timestamp }))
      .meta({ description: 'The first of them, in the order in which they are told.' }),
  })
  .meta({ id: 'OutboxState' })
export type OutboxState = z.infer<typeof OutboxState>

export const DeadLetter = z
  .object({
    id: z.uuid(),
    fact: z.string().meta({ description: 'The subject it was told under, such as `accounts.user.disabled`.' }),
    consumer: z.string(),
    content: z.string().meta({ description: 'Its first 1000 bytes.' }),
    error: z.string(),
    attempts: z.int(),
    givenUpAt: Timestamp,
  })
  .meta({ id: 'DeadLetter' })
export type DeadLetter = z.infer<typeof DeadLetter>

const Id = z.object({ id: z.uuid() })

/** What a service's facts wait for, for administrators; `prefix` is that of a service whose paths begin with one. */
export function deliveryEndpoints<const P extends string>(prefix: P) {
  return {
    outbox: endpoint({
      method: 'GET',
      path: `/${prefix}outbox`,
      summary: 'The facts that wait to be told, and the first 20 of them.',
      access: 'manager',
      status: 200,
      reply: OutboxState,
    }),
    deadLetters: endpoint({
      method: 'GET',
      path: `/${prefix}dead-letters`,
      summary: 'The facts this service was told and could not take into effect, newest first.',
      access: 'manager',
      query: z.object({ limit: queryInteger(1, 200).optional() }),
      status: 200,
      reply: z.array(DeadLetter),
    }),
    retry: endpoint({
      method: 'POST',
      path: `/${prefix}dead-letters/{id}/retry`,
      summary: 'Take such a fact into effect after all, once; it is no longer listed then.',
      access: 'manager',
      params: Id,
      status: 204,
      problems: ['UnknownDeadLetter', 'ConsumerGone', 'GivenUpAgain'],
    }),
    discard: endpoint({
      method: 'DELETE',
      path: `/${prefix}dead-letters/{id}`,
      summary: 'Forget such a fact: it will never take effect.',
      access: 'manager',
      params: Id,
      status: 204,
      problems: ['UnknownDeadLetter'],
    }),
  }
}

export type DeliveryEndpoints = ReturnType<typeof deliveryEndpoints>
