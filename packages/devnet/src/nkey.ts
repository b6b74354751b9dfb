import { randomBytes } from 'node:crypto'
import { encodeNatsSeed } from '@trestle/contracts/nats/nkey'

/** The seed of a new key: `SU…`. */
export function newNatsSeed(): string {
  return encodeNatsSeed(randomBytes(32))
}
