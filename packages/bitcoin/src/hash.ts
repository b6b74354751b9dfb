import { hash } from 'node:crypto'
import x11HashJs from '@dashevo/x11-hash-js'

/** By way of a string: the Buffers that `hash` answers have memory of their own, and to get that takes longer than to hash. */
export function sha256(bytes: Uint8Array): Buffer {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary')
}

const once = Buffer.alloc(32)

export function sha256d(bytes: Uint8Array): Buffer {
  once.write(hash('sha256', bytes, 'binary'), 'latin1')
  return sha256(once)
}

export function hash160(bytes: Uint8Array): Buffer {
  return hash('ripemd160', sha256(bytes), 'buffer')
}

/** Eleven finalists of the SHA-3 competition, one after the other: what Dash names and weighs its blocks by. */
export function x11(bytes: Uint8Array): Buffer {
  return Buffer.from(x11HashJs.digest(Buffer.from(bytes), 1, 1))
}
