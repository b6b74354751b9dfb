import { kindOf, Problem, retryAfter } from '@trestle/problem/problem'

// RFC 6750 section 3: without credentials the challenge names the scheme only, with a bad token also the error.
const CHALLENGE = 'Bearer realm="trestle"'
const INVALID = `${CHALLENGE}, error="invalid_token"`

export function missingToken(): Problem {
  return new Problem('unauthenticated', 'MissingToken', 'An access token is required: Authorization: Bearer <token>.', challenge(CHALLENGE))
}

/** One answer for whatever is wrong with a token; the reason is in the cause, for the log. */
export function invalidToken(cause?: unknown): Problem {
  return new Problem('unauthenticated', 'InvalidToken', 'The access token is not valid here.', { cause, ...challenge(INVALID) })
}

export function tokenExpired(status: 401 | 403): Problem {
  const description = 'The access token expired'
  return new Problem(kindOf(status), 'TokenExpired', `${description}.`, challenge(`${INVALID}, error_description="${description}"`))
}

export function notManager(): Problem {
  return new Problem('forbidden', 'NotManager', 'Only an administrator may do this.')
}

export function missingRole(roles: readonly string[]): Problem {
  return new Problem('forbidden', 'MissingRole', `Only a member of an organization with the role ${roles.join(' or ')} may do this.`)
}

export function keysUnavailable(): Problem {
  return new Problem('unavailable', 'KeysUnavailable', 'The keys of the access tokens are not known yet.', { headers: retryAfter(1) })
}

export function revocationsUnknown(): Problem {
  return new Problem('unavailable', 'RevocationsUnknown', 'The revoked access tokens are not known yet.', { headers: retryAfter(1) })
}

function challenge(value: string) {
  return { headers: { 'www-authenticate': value } }
}
