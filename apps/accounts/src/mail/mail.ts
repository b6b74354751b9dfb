import type { Mail as DescribedMail } from '@trestle/contracts/accounts/administration'
import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'

/** A mail as a feature hands it over. */
export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** What caused it: the same cause is mailed once. */
  readonly cause?: string
}

export const MailState = z.enum(['queued', 'sent', 'failed'])

/** A mail and how far its delivery is; its text is stored apart. */
export interface MailRecord {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly state: z.infer<typeof MailState>
  readonly attempts: number
  readonly lastError?: string
  readonly createdAt: Date
}

export type DeliveryOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly lastError: string; readonly nextAttemptAt: Date }
  | { readonly state: 'failed'; readonly lastError: string }

const MINUTE_MS = 60_000
const MAX_DELAY_MS = 60 * MINUTE_MS
/** For so long delivery is tried, and an administrator can repeat it; then its tokens have expired, and the text is erased. */
const MAX_AGE_MS = 24 * 60 * MINUTE_MS
/** Longer than any attempt may take: until then no other replica tries. */
export const LEASE_MS = MINUTE_MS

/** The receiving server will never accept this mail. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** What happens to a mail after an attempt failed: it is tried again 1, 2, 4 and so on up to 60 minutes later, for a day. */
export function afterFailure(
  { attempts, createdAt }: Pick<MailRecord, 'attempts' | 'createdAt'>,
  error: unknown,
  now: Date,
): DeliveryOutcome {
  const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  const delay = Math.min(MAX_DELAY_MS, 2 ** (attempts - 1) * MINUTE_MS)
  const nextAttemptAt = new Date(now.getTime() + delay)
  const isFinal = error instanceof MailRefused || nextAttemptAt.getTime() - createdAt.getTime() >= MAX_AGE_MS
  return isFinal ? { state: 'failed', lastError } : { state: 'queued', lastError, nextAttemptAt }
}

export function describeMail({ id, recipient, subject, state, attempts, lastError, createdAt }: MailRecord): DescribedMail {
  return { id, recipient, subject, state, attempts, lastError, createdAt: createdAt.toISOString() }
}

export function unknownMail(): Problem {
  return new Problem('unknown', 'UnknownMail', 'There is no mail with this id.')
}

export function mailErased(): Problem {
  return new Problem(
    'conflict',
    'MailErased',
    'The text of this mail was erased: it was sent, or is older than a day. Ask the user to request a new one.',
  )
}
