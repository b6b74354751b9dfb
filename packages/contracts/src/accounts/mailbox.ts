import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { queryInteger, Timestamp } from '../fields.js'

/** A mail in the development mailbox. */
export const MailboxMail = z
  .object({ id: z.string(), to: z.string(), subject: z.string(), text: z.string(), createdAt: Timestamp })
  .meta({ id: 'MailboxMail' })
export type MailboxMail = z.infer<typeof MailboxMail>

/** Served only outside production, with `MAIL_TRANSPORT=mailbox`. */
export const mailbox = {
  list: endpoint({
    method: 'GET',
    path: '/dev/mailbox',
    summary: 'The latest mails, newest first: as JSON, or as a page if `Accept` asks for HTML.',
    access: 'public',
    query: z.object({ to: z.string().max(254).optional(), limit: queryInteger(1, 200).optional() }),
    status: 200,
    reply: z.array(MailboxMail),
    recording: 'none',
  }),
}
