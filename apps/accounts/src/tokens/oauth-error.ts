import type { Problem } from '@trestle/problem/problem'

/** The error codes of RFC 6749 section 5.2 and RFC 7009 section 2.2.1. */
const CODES: Record<string, string> = {
  InvalidClient: 'invalid_client',
  InvalidRefreshToken: 'invalid_grant',
  InvalidScope: 'invalid_scope',
  UnsupportedGrantType: 'unsupported_grant_type',
  UnsupportedTokenType: 'unsupported_token_type',
}

export interface OAuthError {
  readonly status: number
  readonly error: string
  readonly error_description: string
}

/** A problem in the words of RFC 6749 section 5.2: 401 is for a client that is not authenticated, all else it knows is 400. */
export function oauthError({ code, status, detail }: Problem): OAuthError {
  const error = status >= 500 ? 'temporarily_unavailable' : (CODES[code] ?? 'invalid_request')
  return { status: oauthStatus(error, status), error, error_description: describable(detail) }
}

function oauthStatus(error: string, status: number): number {
  if (error === 'invalid_client') return 401
  return status >= 500 || status === 413 || status === 429 ? status : 400
}

// RFC 6749 section 5.2 leaves out the quote, the backslash and everything that is not printable ASCII.
function describable(detail: string): string {
  return detail.replaceAll(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, ' ')
}
