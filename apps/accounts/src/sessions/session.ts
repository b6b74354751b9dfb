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
  /** When they did, as far as their provider says. */
  readonly authenticatedAt?: Date
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
  /** When the user last proved at an identity provider who they are. */
  readonly authenticatedAt?: Date
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

/** Whether a proof of who somebody is was given within the last minutes. */
export function isFreshProof(provenAt: Date, now: Date): boolean {
  return now.getTime() - provenAt.getTime() <= FRESH_SECONDS * 1000
}

/**
 * Whether the user has proven who they are within the last minutes. A device has not asked them: an older session may have approved it. Nor has a
 * provider that knew them already: what it says of the sign-in counts.
 */
export function hasFreshSignIn(
  { client, provider, createdAt, authenticatedAt }: Pick<SessionRecord, 'client' | 'provider' | 'createdAt' | 'authenticatedAt'>,
  now: Date,
): boolean {
  const proofs = provider === undefined ? [createdAt, authenticatedAt] : [authenticatedAt]
  return client !== 'command-line' && proofs.some((provenAt) => provenAt !== undefined && isFreshProof(provenAt, now))
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
