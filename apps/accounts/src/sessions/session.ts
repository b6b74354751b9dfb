import { TOKEN_KINDS } from '@trestle/auth/claims'
import type { Session as DescribedSession } from '@trestle/contracts/accounts/sessions'
import type { Caller } from '@trestle/contracts/caller'
import { Problem } from '@trestle/problem/problem'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'

/** Where a session is opened from, and how. */
export interface SessionOrigin extends Pick<RequestOrigin, 'ip' | 'userAgent'> {
  /** The identity provider that the user signed in with; none with a password. */
  readonly provider?: string
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

const JUST_SIGNED_IN_MS = 10 * 60_000

/** Whether the caller's session was opened within the last minutes; whatever its token is, it ends a token's lifetime after the sign-in. */
export function hasJustSignedIn({ expiresAt }: Pick<Caller, 'expiresAt'>, now: Date): boolean {
  const openedAt = (expiresAt - TOKEN_KINDS.account.lifetimeSeconds) * 1000
  return now.getTime() - openedAt <= JUST_SIGNED_IN_MS
}

export function unknownSession(): Problem {
  return new Problem('unknown', 'UnknownSession', 'You have no open session with this id.')
}
