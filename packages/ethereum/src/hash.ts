import { keccak_256 } from '@noble/hashes/sha3.js'

/** The hash of the execution layer, which differs from SHA-3 as standardised later. */
export function keccak256(bytes: Uint8Array): Buffer {
  return Buffer.from(keccak_256(bytes))
}
