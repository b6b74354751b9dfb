import { z } from 'zod'
import { AREAS } from './areas.js'
import { idOf, Timestamp } from './fields.js'
import { domainEvent } from './message.js'

/** What the security log records: whatever changes who may do what, and what cannot be undone. */
export const SecurityEventKind = z.enum([
  'administrator-act',
  'approval-decided',
  'approval-requested',
  'credentials-rotated',
  'data-exported',
  'deletion-cancelled',
  'deletion-requested',
  'email-change-requested',
  'email-change-undone',
  'email-changed',
  'email-verified',
  'exit-requested',
  'fee-recipient-changed',
  'identity-unlinked',
  'key-changed',
  'key-created',
  'key-deleted',
  'member-invited',
  'member-joined',
  'member-left',
  'organization-changed',
  'organization-policy-changed',
  'ownership-transferred',
  'password-changed',
  'password-reset',
  'password-reset-requested',
  'project-rules-changed',
  'recovery-codes-replaced',
  'role-changed',
  'second-factor-added',
  'second-factor-removed',
  'sign-in',
  'sign-out',
  'sign-up',
  'signing-key-compromised',
  'signing-key-rotated',
  'token-refused',
  'token-revoked',
  'user-disabled',
  'user-enabled',
])
export type SecurityEventKind = z.infer<typeof SecurityEventKind>

/** Programs request tokens all day: only refusals of one say something. */
export const RECORDED_AS_FAILURE_ONLY: ReadonlySet<SecurityEventKind> = new Set<SecurityEventKind>(['token-refused'])

export const Outcome = z.enum(['success', 'failure'])

/** One entry of the security log. It never holds a secret, a body or a plain e-mail address. */
export const SecurityEvent = z
  .object({
    id: idOf('security'),
    createdAt: Timestamp,
    kind: SecurityEventKind,
    outcome: Outcome,
    user: idOf('user').optional().meta({ description: 'Who acted, where a token or a password proved it.' }),
    session: z.string().optional(),
    clientKey: z.string().optional(),
    attempted: z.string().optional().meta({
      description: 'A keyed hash of the name that was given without a token: equal for equal e-mail addresses, users or client keys.',
    }),
    clientAddress: z.string(),
    userAgent: z.string().optional().meta({ description: 'Its first 160 characters.' }),
    service: z.string(),
    method: z.string(),
    route: z.string().meta({ description: 'The template: `/users/{id}/disable`.' }),
    target: z.record(z.string(), z.string()).meta({ description: 'The parameters of the path, without secrets.' }),
    status: z.int(),
    code: z.string().optional().meta({ description: 'Of the problem, where it failed.' }),
    requestId: z.string(),
  })
  .meta({ id: 'SecurityEvent' })
export type SecurityEvent = z.infer<typeof SecurityEvent>

/** What a service adds to the security log; the first word of the subject is the service. */
export const securityEventsRecorded = domainEvent({
  subject: '*.security-event.recorded',
  stream: 'SECURITY',
  payload: z.object({ events: z.array(SecurityEvent).min(1).max(500) }),
  publishedBy: AREAS,
  consumedBy: [{ app: 'accounts', durable: 'security-log' }],
})
