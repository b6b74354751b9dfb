import type { SecondFactor as DescribedFactor, FactorMethod } from '@trestle/contracts/accounts/second-factors'
import { Problem } from '@trestle/problem/problem'
import type { ChallengeRecord } from './challenge.js'

const KINDS = ['totp', 'passkey'] as const

interface Factor {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly createdAt: Date
  readonly usedAt: Date | null
}

export interface TotpFactor extends Factor {
  readonly kind: 'totp'
  readonly secretSealed: Uint8Array<ArrayBuffer>
  readonly lastStep: number | null
}

export interface PasskeyFactor extends Factor {
  readonly kind: 'passkey'
  readonly credentialId: Uint8Array<ArrayBuffer>
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly signatureCounter: bigint
  readonly transports: readonly string[]
}

export type SecondFactorRecord = TotpFactor | PasskeyFactor

const MAX_FACTORS = 10

/** RFC 8176. A recovery code is a one-time password, too. */
export const AMR = { totp: 'otp', passkey: 'pop', 'recovery-code': 'otp' } as const satisfies Record<FactorMethod, string>

/** How a user was authenticated who has answered a challenge. */
export function methodReferences(
  { purpose, userId, provider }: Pick<ChallengeRecord, 'purpose' | 'userId' | 'provider'>,
  method: FactorMethod,
): string[] {
  // RFC 8176 has no value for an identity provider.
  // A passkey that names the user itself has asked for a PIN or a fingerprint.
  if (userId === null) return [AMR[method], 'user', 'mfa']
  return [...(purpose === 'sign-in' && provider === null ? ['pwd'] : []), AMR[method], 'mfa']
}

export function requireRoomForFactor(factors: readonly SecondFactorRecord[]): void {
  if (factors.length >= MAX_FACTORS)
    throw new Problem('conflict', 'LimitExceeded', `An account has at most ${MAX_FACTORS} second factors; remove one first.`)
}

/** How a user can answer a challenge. */
export function methodsOf(factors: readonly SecondFactorRecord[], recoveryCodes: number): FactorMethod[] {
  const kinds = KINDS.filter((kind) => factors.some((factor) => factor.kind === kind))
  return recoveryCodes > 0 ? [...kinds, 'recovery-code'] : kinds
}

export function describeFactor({ id, kind, name, createdAt, usedAt }: SecondFactorRecord): DescribedFactor {
  return { id, kind, name, createdAt: createdAt.toISOString(), usedAt: usedAt?.toISOString() }
}

export function unknownFactor(): Problem {
  return new Problem('unknown', 'UnknownSecondFactor', 'You have no such second factor.')
}

/** The same for everything that can be wrong with a code or a passkey. */
export function invalidFactor(cause?: unknown): Problem {
  return new Problem(
    'forbidden',
    'InvalidSecondFactor',
    'The code or passkey is wrong, or was used before. Each code of an app is accepted once.',
    {
      cause,
    },
  )
}
