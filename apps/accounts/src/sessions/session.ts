import { STEP_UP_MAX_AGE_SECONDS } from '@trestle/auth/step-up'
import type { Session as DescribedSession } from '@trestle/contracts/accounts/sessions'
import { Problem } from '@trestle/problem/problem'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'

/** Where a session is opened from, and how. */
export interface SessionOrigin extends Pick<RequestOrigin, 'ip' | 'userAgent'> {
  /** The identity provider that the user signed in with; none with a password. */
  readonly provider?: string
  /** The identity that the user signed in with. */
  readonly identityId?: string
  /** What it was opened for, if that is known. */
  readonly client?: DescribedSession['client']
}

/** One sign-in, and the account token that it issued. */
export interface SessionRecord {
  readonly id: string
  readonly userId: string
  readonly ip: string
  readonly userAgent: string
  readonly provider?: string
  readonly identityId?: string
  readonly client?: DescribedSession['client']
  readonly createdAt: Date
  readonly expiresAt: Date
  /** To within five minutes. */
  readonly usedAt: Date
}

export function describeSession(
  { id, ip, userAgent, provider, client, createdAt, expiresAt, usedAt }: SessionRecord,
  currentId: string | undefined,
): DescribedSession {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString(), usedAt: usedAt.toISOString() }
  return { id, ip, userAgent, provider, client, ...times, current: id === currentId }
}

/** How long a sign-in is fresh: as long as a proof of a second factor. */
export const FRESH_SECONDS = STEP_UP_MAX_AGE_SECONDS

/** Whether the user has proven who they are within the last minutes. A device has not asked them: an older session may have approved it. */
export function isJustOpened({ client, createdAt }: Pick<SessionRecord, 'client' | 'createdAt'>, now: Date): boolean {
  return client !== 'command-line' && now.getTime() - createdAt.getTime() <= FRESH_SECONDS * 1000
}

/** Somebody unlinked it while this sign-in was under way. */
export function identityUnlinked(): Problem {
  return new Problem(
    'forbidden',
    'IdentityUnlinked',
    'The identity that you signed in with was unlinked from the account; sign in in another way.',
  )
}

export function unknownSession(): Problem {
  return new Problem('unknown', 'UnknownSession', 'You have no open session with this id.')
}
