import { z } from 'zod'
import { Activity } from '../activity.js'
import { endpoint } from '../endpoint.js'
import { Cursor, queryInteger } from '../fields.js'

const When = z.iso.datetime({ offset: true }).or(z.iso.date())

export const accountEvents = {
  list: endpoint({
    method: 'GET',
    path: '/users/me/events',
    summary: 'Your activity, newest first; by default the last 24 hours. A `Link: rel="next"` header leads to the next page.',
    access: 'account',
    query: z.object({
      from: When.optional(),
      to: When.optional(),
      limit: queryInteger(1, 1000).optional(),
      cursor: Cursor.optional(),
    }),
    status: 200,
    reply: z.array(Activity.meta({ id: 'Event' })),
    problems: ['InvalidCursor', 'InvalidRange'],
  }),
}
