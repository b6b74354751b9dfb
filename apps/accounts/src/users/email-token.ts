import { hash } from 'node:crypto'
import { Problem } from '@trestle/problem/problem'

export type EmailTokenPurpose = 'verification' | 'password-reset'

/** A single-use token that was sent by mail; only its hash is stored. */
export interface EmailToken {
  readonly purpose: EmailTokenPurpose
  readonly userId: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

const HOUR_MS = 3600_000
const LIFETIME_MS: Record<EmailTokenPurpose, number> = { verification: 24 * HOUR_MS, 'password-reset': HOUR_MS / 2 }

export function newEmailToken(purpose: EmailTokenPurpose, userId: string, now: Date): EmailToken {
  return { purpose, userId, createdAt: now, expiresAt: new Date(now.getTime() + LIFETIME_MS[purpose]) }
}

export function hashEmailToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}

/** The same for an unknown user, a wrong token, another user's token and an expired one. */
export function invalidEmailToken(): Problem {
  return new Problem('unknown', 'InvalidToken', 'The token is wrong, used or expired; request a new mail.')
}

export function alreadyVerified(): Problem {
  return new Problem('conflict', 'UserVerified', 'The e-mail address is already verified; sign in.')
}
