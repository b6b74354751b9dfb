import { kindOf, Problem, retryAfter } from '@trestle/problem/problem'
import { errors } from 'jose'

const CHALLENGE = 'Bearer realm="trestle", error="invalid_token"'

/** RFC 6750 section 3.1. The reason is for whoever writes the app: nothing in it is of the token. */
export function refusedToken(reason: string, cause?: unknown): Problem {
  const headers = { 'www-authenticate': `${CHALLENGE}, error_description="${reason}"` }
  return new Problem(kindOf(401), 'InvalidToken', `The access token is not valid here: ${reason}.`, { cause, headers })
}

export function issuerKeysUnavailable(reason: string): Problem {
  const detail = `The keys of the token's issuer cannot be fetched: ${reason}.`
  return new Problem('unavailable', 'KeysUnavailable', detail, { headers: retryAfter(10) })
}

/** What is wrong with a token, in the words of its refusal. */
export function reasonOfRefusal(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong'
  if (error instanceof errors.JWTClaimValidationFailed) return REASONS[error.claim] ?? `its claim ${error.claim} is wrong`
  if (error instanceof errors.JOSEAlgNotAllowed) return NO_ALGORITHM
  return 'it is no signed JWT'
}

export const NO_ALGORITHM = 'it is not signed with RS256, ES256 or EdDSA'

const REASONS: Readonly<Record<string, string>> = {
  aud: 'it is for another audience',
  iss: 'it is of another issuer',
  exp: 'it has no expiry',
  nbf: 'it is not valid yet',
}
