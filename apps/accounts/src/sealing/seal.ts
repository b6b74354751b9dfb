import { createCipheriv, createDecipheriv } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts for the database: nonce, ciphertext and tag in one. The nonce must be 12 fresh random bytes (NIST SP 800-38D). */
export function seal(key: Uint8Array, plaintext: string, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce)
  return Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts what `seal` made; throws when a byte of it was changed or the key is another. */
export function open(key: Uint8Array, sealed: Uint8Array): string {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('too short to be sealed')
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}
