import type { Problem } from '@trestle/problem/problem'

/** The error codes of RFC 6749 section 5.2 and RFC 7009 section 2.2.1. */
const CODES: Record<string, string> = {
  InvalidClient: 'invalid_client',
  InvalidRefreshToken: 'invalid_grant',
  InvalidScope: 'invalid_scope',
  // RFC 8628 section 3.5.
  AccessDenied: 'access_denied',
  AuthorizationPending: 'authorization_pending',
  ExpiredDeviceCode: 'expired_token',
  InvalidDeviceCode: 'invalid_grant',
  SlowDown: 'slow_down',
  UnsupportedGrantType: 'unsupported_grant_type',
  UnsupportedTokenType: 'unsupported_token_type',
}

interface OAuthError {
  readonly status: number
  readonly error: string
  readonly error_description: string
}

/** A problem as RFC 6749 section 5.2 has it: 401 for a client that is not authenticated, 400 for everything else. */
export function oauthError({ code, status, detail }: Problem): OAuthError {
  const error = status >= 500 ? 'temporarily_unavailable' : (CODES[code] ?? 'invalid_request')
  return { status: oauthStatus(error, status), error, error_description: describable(detail) }
}

/** The members of RFC 6749 and those of every other problem. */
export function oauthBody(problem: Problem, requestId: string): string {
  return JSON.stringify({ ...problem.toJSON(), ...oauthError(problem), requestId })
}

function oauthStatus(error: string, status: number): number {
  if (error === 'invalid_client') return 401
  return status >= 500 || status === 413 || status === 429 ? status : 400
}

// RFC 6749 section 5.2 excludes the quote, the backslash and everything that is not printable ASCII.
function describable(detail: string): string {
  return detail.replaceAll(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, ' ')
}
