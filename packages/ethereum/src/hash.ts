import { hash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

/** The hash of the execution layer, which is not SHA-3 as it was standardised later. */
export function keccak256(bytes: Uint8Array): Buffer {
  return Buffer.from(keccak_256(bytes))
}
