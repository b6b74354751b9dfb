import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'

export interface KeyPair {
  readonly publicJwk: PublicJwk
  readonly privateKey: KeyObject
}

/** A fresh key for ES256; its id is its thumbprint. */
export function generateKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const
  return { publicJwk: { ...jwk, kid: thumbprint(jwk), alg: 'ES256', use: 'sig' }, privateKey }
}

/** RFC 7638: the hash of the members that make the key, in the order of their names. */
export function thumbprint({ crv, kty, x, y }: Pick<PublicJwk, 'crv' | 'kty' | 'x' | 'y'>): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')
}
