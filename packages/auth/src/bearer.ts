import type { IncomingMessage } from 'node:http'
import { invalidToken, missingToken } from './auth-problems.js'

/** The bearer token of a request (RFC 6750 section 2.1: in the header only). Throws a Problem if there is none. */
export function bearerOf({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string {
  const { authorization = '' } = headers
  // RFC 9110 section 11.1: the scheme is case-insensitive.
  if (!/^bearer\b/i.test(authorization)) throw missingToken()
  // Node keeps the first of several; a proxy in front of us may have checked another.
  if (rawHeaders.filter(isAuthorization).length > 1) throw invalidToken('several Authorization headers')
  return authorization.slice('bearer'.length).replace(/^ +/, '')
}

// `rawHeaders` alternates names and values.
function isAuthorization(text: string, index: number): boolean {
  return index % 2 === 0 && text.length === 13 && text.toLowerCase() === 'authorization'
}
