import { hash } from 'node:crypto'
import { Problem } from '@trestle/problem/problem'

export type Purpose = 'verification' | 'password-reset'

/** A single-use token that was sent by mail; only its hash is kept. */
export interface EmailToken {
  readonly purpose: Purpose
  readonly userId: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

const HOUR = 3600_000
const LIFETIME_MS: Record<Purpose, number> = { verification: 24 * HOUR, 'password-reset': HOUR / 2 }

export function newEmailToken(purpose: Purpose, userId: string, now: Date): EmailToken {
  return { purpose, userId, createdAt: now, expiresAt: new Date(now.getTime() + LIFETIME_MS[purpose]) }
}

export function hashEmailToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}

/** One answer for an unknown user, a wrong token, somebody else's and an expired one. */
export function invalidToken(): Problem {
  return new Problem('unknown', 'InvalidToken', 'The token is wrong, used or expired; ask for a new mail.')
}

export function alreadyVerified(): Problem {
  return new Problem('conflict', 'UserVerified', 'The e-mail address is verified already; sign in.')
}
