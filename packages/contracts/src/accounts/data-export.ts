import { z } from 'zod'
import { Activity } from '../activity.js'
import { endpoint } from '../endpoint.js'
import { SecurityEvent } from '../security-event.js'

const Entry = z.record(z.string(), z.unknown())

/** A line of an export. The last one is `end`: an export without it was cut off. */
export const ExportedLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['profile', 'identity', 'second-factor', 'session', 'client-key', 'membership', 'invitation', 'email-change', 'mail']),
    data: Entry,
  }),
  z.object({ kind: z.literal('activity'), data: Activity }),
  z.object({ kind: z.literal('security-event'), data: SecurityEvent }),
  z.object({ kind: z.literal('end'), data: z.object({ lines: z.int() }) }),
])
export type ExportedLine = z.infer<typeof ExportedLine>

export const dataExport = {
  create: endpoint({
    method: 'POST',
    path: '/users/me/data-export',
    creates: true,
    summary:
      'Everything that this area stores about you, as JSON lines without secrets: profile, identities at providers, second factors, sessions, client keys, organizations, invitations, mails, activity, security events. The line `end` comes last.',
    access: 'account',
    audit: 'data-exported',
    status: 200,
    replyType: 'application/x-ndjson',
    problems: ['TooManyRequests'],
  }),
}
