import { hash } from 'node:crypto'
import { Problem } from '@trestle/problem/problem'
import type { ProviderSettings } from './provider-settings.js'

const LIFETIME_MS = 10 * 60_000

/** A sign-in that has been begun: what its callback must match. */
export interface SignInAttemptRecord {
  readonly provider: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The session in which its user proves once more who they are; null of a sign-in, which opens one. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Whose sign-in is to be fresh again, in which session. */
export interface StepUpSession {
  readonly userId: string
  readonly sessionId: string
}

export function newAttempt(
  { provider, session }: { provider: string; session: StepUpSession | undefined },
  random: Pick<SignInAttemptRecord, 'state' | 'nonce' | 'codeVerifier'>,
  now: Date,
): SignInAttemptRecord {
  const { userId = null, sessionId = null } = session ?? {}
  return { provider, ...random, userId, sessionId, createdAt: now, expiresAt: new Date(now.getTime() + LIFETIME_MS) }
}

/** Only the browser has the attempt itself. */
export function hashAttempt(attempt: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', attempt, 'buffer'))
}

/** One for each provider: what was sent by another one does not arrive here (RFC 9700 section 4.4.2). */
export function redirectUri(publicUrl: string, provider: string): string {
  return `${publicUrl}/session/callback/${provider}`
}

export function unknownProvider(): Problem {
  return new Problem('unknown', 'UnknownProvider', 'There is no identity provider with this id.')
}

/** The same for an unknown attempt, one that was used, one that has expired and one at another provider. */
export function signInExpired(): Problem {
  return new Problem(
    'invalid',
    'SignInExpired',
    'This sign-in was begun in another browser, is finished, or took longer than 10 minutes; begin again.',
  )
}

export function providerUnavailable(options?: ErrorOptions): Problem {
  return new Problem(
    'unavailable',
    'ProviderUnavailable',
    'The identity provider does not answer as it should; try again in a moment.',
    options,
  )
}

export function providerRefused(): Problem {
  return new Problem('forbidden', 'ProviderRefused', 'The identity provider did not let you in, or the sign-in was cancelled there.')
}

export function invalidProviderAnswer(options?: ErrorOptions): Problem {
  return new Problem('bad-upstream', 'InvalidProviderAnswer', 'What the identity provider sent is not valid; begin again.', options)
}

export function otherIdentity(): Problem {
  return new Problem(
    'forbidden',
    'OtherIdentity',
    'You signed in there as somebody else than here; sign out there, and sign in as yourself.',
  )
}

export function staleSignIn({ title }: Pick<ProviderSettings, 'title'>): Problem {
  return new Problem(
    'forbidden',
    'StaleSignIn',
    `${title} did not ask you to sign in again, or does not say when you did; sign out there, and repeat this. If that does not help, ask whoever runs it for auth_time in its id_tokens.`,
  )
}

export function emailNotVerified(): Problem {
  return new Problem(
    'forbidden',
    'EmailNotVerified',
    'The identity provider has no verified e-mail address of yours; verify it there first.',
  )
}

export function mailSent(): Problem {
  return new Problem('forbidden', 'UserNotVerified', 'We have sent a mail to your address: open the link in it, then sign in again.')
}

export function disabledUser(): Problem {
  return new Problem('forbidden', 'UserDisabled', 'This account is disabled; ask the operator of this platform.')
}

export function registrationClosed(): Problem {
  return new Problem(
    'forbidden',
    'RegistrationClosed',
    'You have no account here, and sign-up is closed; ask the operator of this platform for one.',
  )
}

/** The rule of a domain is public, so it reveals nothing about a user. */
export function signInWithProvider({ title }: Pick<ProviderSettings, 'title'>, publicUrl: string): Problem {
  return new Problem(
    'forbidden',
    'SignInWithProvider',
    `Users of this e-mail domain have no password here: they sign in with ${title}, at ${publicUrl}/app/account/sign-in.`,
  )
}
