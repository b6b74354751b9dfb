import { hash } from 'node:crypto'
import { Problem } from '@trestle/problem/problem'
import type { Email } from '../users/email.js'
import type { User } from '../users/user.js'

/** A change that was asked for, and is not confirmed. */
export interface RequestedEmailChange {
  readonly id: string
  readonly userId: string
  /** The new address. */
  readonly email: string
  readonly emailCanonical: string
  /** The user's revocation epoch at the request: whatever signs the user out everywhere ends the request, too. */
  readonly epoch: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A change that took effect, and can still be undone. */
export interface ConfirmedEmailChange {
  readonly id: string
  readonly userId: string
  readonly former: Email
  readonly confirmedAt: Date
}

const HOUR_MS = 3600_000
const CONFIRM_WITHIN_MS = 24 * HOUR_MS
const UNDO_WITHIN_MS = 72 * HOUR_MS

export function requestedChange(id: string, user: Pick<User, 'id' | 'epoch'>, to: Email, now: Date): RequestedEmailChange {
  return {
    id,
    userId: user.id,
    email: to.address,
    emailCanonical: to.canonical,
    epoch: user.epoch,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CONFIRM_WITHIN_MS),
  }
}

export function undoableUntil(confirmedAt: Date): Date {
  return new Date(confirmedAt.getTime() + UNDO_WITHIN_MS)
}

export function hashEmailChangeToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}

/** Only whoever reads the mails to the address learns this. */
export function emailInUse(): Problem {
  return new Problem('conflict', 'EmailInUse', 'Another account uses this e-mail address; sign in there, or choose another address.')
}

/** Of a user whose domain signs in with one provider only. */
export function managedAddress(provider: string): Problem {
  return new Problem(
    'conflict',
    'ManagedAddress',
    `Your address is one of ${provider}, which alone signs you in: you cannot exchange it for another one.`,
  )
}

/** The same for an unknown user, a wrong token, another user's token, an expired one, and one of a request that has ended. */
export function invalidEmailChangeToken(): Problem {
  return new Problem('unknown', 'InvalidToken', 'The token is wrong, used or expired. Sign in and ask for the change again.')
}
