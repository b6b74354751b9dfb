import type { Permission } from '@trestle/contracts/permissions'
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

/** An administrator's account is worth more than a password. */
export function managerLacksFactor(): Problem {
  return new Problem(
    'forbidden',
    'FactorRequired',
    'Administrators need a second factor: add one to your account (console: Settings, Second factors), then sign in with it.',
  )
}

/** Its members act in it only with a second factor; what is their own they use as before. */
export function organizationNeedsFactor(): Problem {
  return new Problem(
    'forbidden',
    'FactorRequired',
    'The organization demands a second factor: add one to your account (console: Settings, Second factors; or POST /accounts/users/me/second-factors/totp), then sign in with it.',
  )
}

/** `organizationId` and `permission` are for programs: where to ask, and who may approve. */
export function approvalRequired(organizationId: string, permission: Permission): Problem {
  return new Problem(
    'forbidden',
    'ApprovalRequired',
    `The organization demands that a second person with the permission ${permission} approves this: ask with POST /accounts/organizations/${organizationId}/approvals, and then repeat it with the header Trestle-Approval.`,
    { extensions: { organizationId, permission } },
  )
}

export function invalidApproval(reason: string): Problem {
  return new Problem('forbidden', 'InvalidApproval', `The approval is not valid for this request: ${reason}. Ask for another one.`)
}

export function approvalUsed(): Problem {
  return new Problem(
    'forbidden',
    'ApprovalUsed',
    'The approval was used already: each is good for one request. See what it has done, or ask for another one.',
  )
}

/** RFC 9470 section 3. */
export function stepUpRequired(maxAgeSeconds: number): Problem {
  const how = `POST /accounts/auth/step-up begins it, and its token is valid here for ${maxAgeSeconds / 60} minutes.`
  return insufficientAuthentication('A fresh proof of a second factor is required', how, maxAgeSeconds)
}

/** Of a user who has neither a password nor a second factor to prove. */
export function signInRequired(maxAgeSeconds: number): Problem {
  const how = `sign in with your identity provider again in a browser, and repeat this there within ${maxAgeSeconds / 60} minutes.`
  return insufficientAuthentication('A fresh sign-in is required', how, maxAgeSeconds)
}

function insufficientAuthentication(description: string, how: string, maxAgeSeconds: number): Problem {
  const parameters = `error="insufficient_user_authentication", error_description="${description}", max_age="${maxAgeSeconds}"`
  return new Problem('unauthenticated', 'StepUpRequired', `${description}: ${how}`, challenge(`${CHALLENGE}, ${parameters}`))
}

export function missingRole(roles: readonly string[]): Problem {
  return new Problem('forbidden', 'MissingRole', `Only a member of an organization with the role ${roles.join(' or ')} may do this.`)
}

/** For who is no member an organization does not exist. */
export function unknownOrganization(): Problem {
  return new Problem('unknown', 'UnknownOrganization', 'You are not a member of an organization with this id.')
}

export function otherOrganization(): Problem {
  return new Problem(
    'forbidden',
    'OtherOrganization',
    'The client key belongs to another organization; leave out the header Trestle-Organization.',
  )
}

export function missingPermission(permission: Permission): Problem {
  const description = `This needs the permission ${permission} in the organization; somebody who may change its members can give it to you.`
  return new Problem('forbidden', 'MissingPermission', description)
}

export function addressNotAllowed(): Problem {
  return new Problem(
    'forbidden',
    'AddressNotAllowed',
    'The client key may not be used from this address; its allowed addresses are among its settings.',
  )
}

export function overKeyLimit(max: number, period: 'second' | 'day', waitMs: number): Problem {
  const detail = `The client key may send ${max} requests a ${period}.`
  return new Problem('too-many', 'TooManyRequests', detail, { headers: retryAfter(waitMs / 1000) })
}

export function membershipsUnknown(): Problem {
  return new Problem('unavailable', 'MembershipsUnknown', 'The members of organizations are not known yet.', { headers: retryAfter(1) })
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
