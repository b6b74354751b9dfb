import { hash } from 'node:crypto'
import type { FactorChallenge } from '@trestle/contracts/accounts/second-factors'
import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'

export const ChallengePurpose = z.enum(['sign-in', 'step-up', 'enrolment'])
export type ChallengePurpose = z.infer<typeof ChallengePurpose>

/** What somebody has to answer with a factor, once and soon. */
export interface ChallengeRecord {
  readonly purpose: ChallengePurpose
  /** Null at a sign-in with a passkey, which names the user itself. */
  readonly userId: string | null
  /** The user's epoch at that time: whatever ends all sessions ends it, too. */
  readonly epoch: number | null
  /** Of a step-up: the session whose token is renewed. */
  readonly sessionId: string | null
  /** Of a sign-in: the identity provider that was the first step; null with a password. */
  readonly provider: string | null
  readonly identityId: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Who is asked, and for what. */
export type ChallengeSubject = Partial<Pick<ChallengeRecord, 'userId' | 'epoch' | 'sessionId' | 'provider' | 'identityId'>>

/** The session that a step-up renews, or the identity provider of a sign-in. */
export type AskedAfter = Pick<ChallengeSubject, 'sessionId' | 'provider' | 'identityId'>

const LIFETIME_MS = 5 * 60_000

export function newFactorChallenge(
  purpose: ChallengePurpose,
  { userId = null, epoch = null, sessionId = null, provider = null, identityId = null }: ChallengeSubject,
  now: Date,
): ChallengeRecord {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  return { purpose, userId, epoch, sessionId, provider, identityId, createdAt: now, expiresAt }
}

/** What is stored: a challenge of 256 random bits needs no slow hash. */
export function hashChallenge(challenge: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', challenge, 'buffer'))
}

export function invalidChallenge(): Problem {
  return new Problem('forbidden', 'InvalidChallenge', 'The challenge is unknown, answered or older than five minutes: begin again.')
}

/** The password or the identity provider is right; RFC 9457 section 3.2 lets the problem carry how to continue. */
export function secondFactorRequired(challenge: FactorChallenge): Problem {
  return new Problem(
    'forbidden',
    'SecondFactorRequired',
    'The first step is done. Now send this challenge with a code of your authenticator app, a recovery code or a passkey to POST /accounts/auth/second-factor.',
    { extensions: challenge },
  )
}
