import { z } from 'zod'
import { AREAS } from './areas.js'
import { idOf, Timestamp } from './fields.js'
import { domainEvent } from './message.js'

/** One record of an authenticated request (interface 2.3). `input` holds method, route and redacted parameters, never a secret. */
export const Activity = z.object({
  id: idOf('event'),
  user: idOf('user'),
  organization: idOf('org').optional().meta({ description: 'The organization in whose name it was done.' }),
  service: z.string(),
  input: z.record(z.string(), z.unknown()),
  output: z.object({
    startTime: Timestamp,
    endTime: Timestamp,
    httpStatusCode: z.int(),
    /** Bytes of the body as sent. */
    bytesOut: z.int(),
  }),
  serviceData: z.record(z.string(), z.unknown()),
  createdAt: Timestamp,
})
export type Activity = z.infer<typeof Activity>

/** A batch of requests to a service; the first word of the subject is the service. */
export const activityRecorded = domainEvent({
  subject: '*.activity.recorded',
  stream: 'ACTIVITY',
  payload: z.object({ activities: z.array(Activity).min(1).max(500) }),
  publishedBy: AREAS,
  consumedBy: [{ app: 'accounts', durable: 'events' }],
})
