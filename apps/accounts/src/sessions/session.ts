import type { Session as DescribedSession } from '@trestle/contracts/accounts/sessions'
import { Problem } from '@trestle/problem/problem'

/** One sign-in, and the account token that it issued. */
export interface SessionRecord {
  readonly id: string
  readonly userId: string
  readonly ip: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export function describeSession(
  { id, ip, userAgent, createdAt, expiresAt }: SessionRecord,
  currentId: string | undefined,
): DescribedSession {
  return { id, ip, userAgent, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString(), current: id === currentId }
}

export function unknownSession(): Problem {
  return new Problem('unknown', 'UnknownSession', 'You have no open session with this id.')
}
