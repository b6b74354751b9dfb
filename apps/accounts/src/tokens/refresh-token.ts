import { hash } from 'node:crypto'
import { ClientId } from '@trestle/contracts/accounts/client-keys'
import { UserId } from '@trestle/contracts/accounts/users'
import type { Scope } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { KEY_FAMILIES } from '../signing-keys/signing-key.js'

/** Only the token endpoints accept a refresh token: no area is in its audience. */
const REFRESH_AUDIENCE = 'accounts/token'

export const RefreshClaims = z.object({
  iss: z.string(),
  sub: UserId,
  aud: z.tuple([z.literal(REFRESH_AUDIENCE)]),
  exp: z.int(),
  iat: z.int(),
  nbf: z.int(),
  jti: z.string().min(1).max(100),
  client_id: ClientId,
  scope: z.string(),
})
export type RefreshClaims = z.infer<typeof RefreshClaims>

interface RefreshGrant {
  issuer: string
  userId: string
  clientId: string
  scopes: readonly Scope[]
  jti: string
}

export function refreshClaims({ issuer, userId, clientId, scopes, jti }: RefreshGrant, now: Date): RefreshClaims {
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + KEY_FAMILIES.refresh.lifetimeSeconds
  return { iss: issuer, sub: userId, aud: [REFRESH_AUDIENCE], exp, iat, nbf: iat, jti, client_id: clientId, scope: scopes.join(' ') }
}

/** What is stored of a token that was issued and is not revoked. */
export interface StoredRefreshToken {
  /** The tokens that replaced one another, by the hash of the first. */
  readonly family: Uint8Array<ArrayBuffer>
  readonly generation: number
  /** A token that replaced this one has been used. */
  readonly isSuperseded: boolean
  /** From then on it has not been used for too long. */
  readonly idleAt: Date
  /** To within an hour. */
  readonly usedAt?: Date
}

const USE_PRECISION_MS = 3600_000

export function isUnusable({ isSuperseded, idleAt }: StoredRefreshToken, now: Date): boolean {
  return isSuperseded || now >= idleAt
}

/** The first use counts at once: it ends the token that was replaced. */
export function isUseToBeSaved({ usedAt }: StoredRefreshToken, now: Date): boolean {
  return !usedAt || now.getTime() - usedAt.getTime() >= USE_PRECISION_MS
}

/** The key of a refresh token in the database. */
export function hashJti(jti: string): Buffer<ArrayBuffer> {
  return hash('sha256', jti, 'buffer')
}

/** The same for every refresh token that is refused: counterfeit, expired, revoked, of a deleted key, of a disabled user. */
export function invalidRefreshToken(cause?: unknown): Problem {
  return new Problem('unauthenticated', 'InvalidRefreshToken', 'The refresh token is not valid, has expired or was revoked.', { cause })
}
