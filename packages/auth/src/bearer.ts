import type { IncomingMessage } from 'node:http'
import { invalidToken, missingToken } from './auth-problems.js'

/** The bearer token of a request (RFC 6750 section 2.1: the header, no other place), or the Problem that it has none. */
export function bearerOf({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string {
  const { authorization = '' } = headers
  // RFC 9110 section 11.1: the scheme's case does not matter.
  if (!/^bearer\b/i.test(authorization)) throw missingToken()
  // Node keeps the first of several; whoever stands in front of us may have looked at another.
  if (rawHeaders.filter(isAuthorization).length > 1) throw invalidToken('several Authorization headers')
  return authorization.slice('bearer'.length).replace(/^ +/, '')
}

// Names stand at the even places.
function isAuthorization(text: string, index: number): boolean {
  return index % 2 === 0 && text.length === 13 && text.toLowerCase() === 'authorization'
}
