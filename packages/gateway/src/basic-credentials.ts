import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Problem } from '@trestle/problem/problem'

const CHALLENGE = { headers: { 'www-authenticate': 'Basic realm="trestle", charset="UTF-8"' } }

/**
 * Throws a Problem unless the request has the credentials (RFC 7617) of which this is the SHA-256. They are long and random: a plain hash is
 * enough: a wrong one takes as long as the right one, and guessing is hopeless.
 */
export function checkBasic({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>, digest: Buffer): void {
  const { authorization = '' } = headers
  if (!/^basic /i.test(authorization)) {
    throw new Problem('unauthenticated', 'MissingCredentials', 'User and password are required: Authorization: Basic.', CHALLENGE)
  }
  const given = hash('sha256', Buffer.from(authorization.slice('basic '.length).trim(), 'base64'), 'buffer')
  // Node keeps the first of several; a proxy in front of us may have read another.
  if (timingSafeEqual(given, digest) && authorizations(rawHeaders) === 1) return
  throw new Problem('unauthenticated', 'InvalidCredentials', 'The user or the password is wrong.', CHALLENGE)
}

// Names have the even indices.
function authorizations(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++
  }
  return count
}
