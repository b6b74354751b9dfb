import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Cursor, queryInteger, RangeEnd } from '../fields.js'
import { Outcome, SecurityEvent, SecurityEventKind } from '../security-event.js'
import { EmailInput, UserId } from './users.js'

const filters = {
  from: RangeEnd.optional(),
  to: RangeEnd.optional(),
  user: UserId.optional(),
  email: EmailInput.optional(),
  kind: SecurityEventKind.optional(),
  outcome: Outcome.optional(),
}

export const securityLog = {
  list: endpoint({
    method: 'GET',
    path: '/security-log',
    summary:
      'The security log, newest first; by default the last 24 hours. `email` finds what was attempted under an address. A `Link: rel="next"` header leads to the next page.',
    access: 'manager',
    query: z.object({ ...filters, limit: queryInteger(1, 1000).optional(), cursor: Cursor.optional() }),
    status: 200,
    reply: z.array(SecurityEvent),
    problems: ['InvalidCursor', 'InvalidRange', 'InvalidEmail'],
  }),
  lines: endpoint({
    method: 'GET',
    path: '/security-log/lines',
    summary: 'The security log as JSON lines for a SIEM, oldest first, at most 100,000; by default the last 24 hours.',
    access: 'manager',
    query: z.object(filters),
    status: 200,
    replyType: 'application/x-ndjson',
    problems: ['InvalidRange', 'InvalidEmail'],
  }),
}
