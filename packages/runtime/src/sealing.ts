import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

// What stands in a database and must say nothing to whoever has the database only.

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const NOTHING = Buffer.alloc(0)

/** Nonce, ciphertext and tag in one. The nonces are random: 2^32 texts under one key are too many (NIST SP 800-38D, section 8.3). */
export function seal(key: Uint8Array, text: string, context: Uint8Array = NOTHING): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(context)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Throws when a byte of it was changed, or the key or the context is another. */
export function open(key: Uint8Array, sealed: Uint8Array, context: Uint8Array = NOTHING): string {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw tooShort()
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES }).setAAD(context)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** Seals with the first of the keys that a service was given; the others open what they sealed. What is sealed for one owner opens for no other. */
export class Sealer {
  private readonly keys: ReadonlyMap<string, Uint8Array>
  private readonly newest: Uint8Array

  /** 32 bytes each, the newest first. */
  constructor(keys: readonly Uint8Array[]) {
    const [newest] = keys
    if (!newest || keys.some((key) => key.length !== KEY_BYTES)) throw new Error('A sealing key has 32 bytes, and there must be one.')
    this.newest = newest
    this.keys = new Map(keys.map((key) => [idOf(key).toString('hex'), key]))
  }

  /** The key's id, and what `seal` makes. */
  seal(text: string, owner: Uint8Array): Buffer {
    const id = idOf(this.newest)
    return Buffer.concat([id, seal(this.newest, text, Buffer.concat([id, owner]))])
  }

  /** Throws where `open` does, and where the key is gone. */
  open(sealed: Buffer, owner: Uint8Array): string {
    if (sealed.length < KEY_ID_BYTES) throw tooShort()
    const id = sealed.subarray(0, KEY_ID_BYTES)
    const key = this.keys.get(id.toString('hex'))
    if (!key) throw new Error('It is sealed under a key that is not among KEY_ENCRYPTION_KEYS.')
    return open(key, sealed.subarray(KEY_ID_BYTES), Buffer.concat([id, owner]))
  }
}

function idOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('sealing key').update(key).digest().subarray(0, KEY_ID_BYTES)
}

function tooShort(): Error {
  return new Error('This is too short to be sealed.')
}
