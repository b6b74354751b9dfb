import { hash, type KeyObject } from 'node:crypto'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'

/** What ES256 signs with (RFC 7518 section 3.4). */
export const CURVE = { namedCurve: 'P-256' }

/** The published form of a P-256 key; its id is its thumbprint. */
export function publicJwkOf(publicKey: KeyObject): PublicJwk {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const
  return { ...jwk, kid: thumbprint(jwk), alg: 'ES256', use: 'sig' }
}

/** RFC 7638: a hash of the members of the key, in alphabetical order. */
export function thumbprint({ crv, kty, x, y }: Pick<PublicJwk, 'crv' | 'kty' | 'x' | 'y'>): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')
}
