import { z } from 'zod'
import { Activity } from '../activity.js'
import { canInPath, endpoint } from '../endpoint.js'
import { Cursor, queryInteger, RangeEnd } from '../fields.js'

const Listed = Activity.omit({ organization: true })

const EventAuthor = z
  .object({
    displayName: z.string().optional().meta({ description: 'Absent of a user whose account is deleted.' }),
    email: z.string().optional(),
    serviceAccount: z.literal(true).optional(),
    former: z.literal(true).optional().meta({ description: 'No longer a member.' }),
    clientKey: z.string().optional().meta({ description: 'The name of the client key that was used.' }),
  })
  .meta({ id: 'EventAuthor' })

export const OrganizationEvent = Listed.extend({
  by: EventAuthor.optional().meta({ description: 'Who did it. Absent where many calls are summed up.' }),
}).meta({ id: 'OrganizationEvent', description: 'What a member or a key did in the name of an organization.' })
export type OrganizationEvent = z.infer<typeof OrganizationEvent>

const Range = z.object({
  from: RangeEnd.optional(),
  to: RangeEnd.optional(),
  limit: queryInteger(1, 1000).optional(),
  cursor: Cursor.optional(),
})

export const accountEvents = {
  list: endpoint({
    method: 'GET',
    path: '/users/me/events',
    summary: 'Your activity, newest first; by default the last 24 hours. A `Link: rel="next"` header leads to the next page.',
    access: 'account',
    query: Range,
    status: 200,
    reply: z.array(Listed.meta({ id: 'Event' })),
    problems: ['InvalidCursor', 'InvalidRange'],
  }),
  ofOrganization: endpoint({
    method: 'GET',
    path: '/organizations/{id}/events',
    summary: "What members and keys did in an organization's name, newest first; pages and times are as in your own activity.",
    access: canInPath('activity:read'),
    params: z.object({ id: z.string().max(100) }),
    query: Range.extend({
      changes: z
        .stringbool()
        .default(false)
        .meta({ type: 'boolean', description: 'Only what may have changed something: no reads, and no sums of JSON-RPC calls.' }),
    }),
    status: 200,
    reply: z.array(OrganizationEvent),
    problems: ['UnknownOrganization', 'PersonalOrganization', 'MissingRole', 'InvalidCursor', 'InvalidRange'],
  }),
}
