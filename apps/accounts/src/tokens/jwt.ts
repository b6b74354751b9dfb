import { type KeyObject, sign } from 'node:crypto'
import { withLowS } from '@trestle/auth/low-s'

/** Signs claims with ES256 in compact form (RFC 7515 section 7.1); synchronously, which is several times faster than a thread. */
export function signJwt(claims: object, typ: string, { kid, privateKey }: { kid: string; privateKey: KeyObject }): string {
  const input = `${encode({ alg: 'ES256', typ, kid })}.${encode(claims)}`
  // RFC 7518 section 3.4: the two numbers of the signature side by side, not DER.
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${Buffer.from(withLowS(signature)).toString('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
