import { z } from 'zod'
import { Activity } from '../activity.js'
import { endpoint } from '../endpoint.js'
import { Cursor, queryInteger, RangeEnd } from '../fields.js'

export const accountEvents = {
  list: endpoint({
    method: 'GET',
    path: '/users/me/events',
    summary: 'Your activity, newest first; by default the last 24 hours. A `Link: rel="next"` header leads to the next page.',
    access: 'account',
    query: z.object({
      from: RangeEnd.optional(),
      to: RangeEnd.optional(),
      limit: queryInteger(1, 1000).optional(),
      cursor: Cursor.optional(),
    }),
    status: 200,
    reply: z.array(Activity.meta({ id: 'Event' })),
    problems: ['InvalidCursor', 'InvalidRange'],
  }),
}
