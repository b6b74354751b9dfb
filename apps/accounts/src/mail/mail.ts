import type { Mail as DescribedMail } from '@trestle/contracts/accounts/administration'
import { Problem } from '@trestle/problem/problem'

/** What a feature wants to have sent. */
export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A mail on its way, and what became of it; its text is kept apart. */
export interface Mail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly state: DescribedMail['state']
  readonly attempts: number
  readonly lastError?: string
  readonly createdAt: Date
}

export type Outcome =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly lastError: string; readonly nextAttemptAt: Date }
  | { readonly state: 'failed'; readonly lastError: string }

const MINUTE = 60_000
const LONGEST_DELAY = 60 * MINUTE
/** So long is it tried, and so long can an administrator have it tried again: then its tokens have expired, and the text is erased. */
export const KEPT_MS = 24 * 60 * MINUTE
/** Longer than any attempt may take: until then nobody else tries. */
export const LEASE_MS = MINUTE

/** The receiving server will not take this mail, now or later. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** What to do with a mail after an attempt failed: 1, 2, 4 and so on up to 60 minutes later again, for a day. */
export function afterFailure({ attempts, createdAt }: Pick<Mail, 'attempts' | 'createdAt'>, error: unknown, now: Date): Outcome {
  const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  const delay = Math.min(LONGEST_DELAY, 2 ** (attempts - 1) * MINUTE)
  const nextAttemptAt = new Date(now.getTime() + delay)
  const isFinal = error instanceof MailRefused || nextAttemptAt.getTime() - createdAt.getTime() >= KEPT_MS
  return isFinal ? { state: 'failed', lastError } : { state: 'queued', lastError, nextAttemptAt }
}

export function describeMail({ id, recipient, subject, state, attempts, lastError, createdAt }: Mail): DescribedMail {
  return { id, recipient, subject, state, attempts, lastError, createdAt: createdAt.toISOString() }
}

export function unknownMail(): Problem {
  return new Problem('unknown', 'UnknownMail', 'There is no mail of this id.')
}

export function mailErased(): Problem {
  return new Problem(
    'conflict',
    'MailErased',
    'The text of this mail is erased: it was sent, or is older than a day. Have the user ask for a new one.',
  )
}
