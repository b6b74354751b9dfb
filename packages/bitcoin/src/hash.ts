import { hash } from 'node:crypto'

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

export function sha256d(bytes: Uint8Array): Buffer {
  return sha256(sha256(bytes))
}

export function hash160(bytes: Uint8Array): Buffer {
  return hash('ripemd160', sha256(bytes), 'buffer')
}
