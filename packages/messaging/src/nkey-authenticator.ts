import { sign } from 'node:crypto'
import type { Authenticator } from '@nats-io/transport-node'
import { privateKeyOf, publicNkey } from '@trestle/contracts/nats/nkey'

/** Signs the server's nonce with a seed. The library's own computes in JavaScript, and blocks the process at each connection. */
export function nkeyAuthenticator(seed: string): Authenticator {
  const key = privateKeyOf(seed)
  const nkey = publicNkey(seed)
  return (nonce) => ({ nkey, sig: nonce ? sign(null, Buffer.from(nonce), key).toString('base64') : '' })
}
