import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

// Encryption of what is stored in a database and must be useless without the key.

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const NOTHING = Buffer.alloc(0)

/** Nonce, ciphertext and tag. The nonces are random, so one key must not seal 2^32 texts (NIST SP 800-38D, section 8.3). */
export function seal(key: Uint8Array, text: string, context: Uint8Array = NOTHING): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(context)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Throws when a byte was changed, or the key or the context is a different one. */
export function open(key: Uint8Array, sealed: Uint8Array, context: Uint8Array = NOTHING): string {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw tooShort()
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES }).setAAD(context)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** Seals with the newest of some keys; each is tried to open. */
export class PlainSealer {
  private readonly newest: Uint8Array

  /** 32 bytes each, the newest first. */
  constructor(private readonly keys: readonly Uint8Array[]) {
    this.newest = newestOf(keys)
  }

  get hasOlderKeys(): boolean {
    return this.keys.length > 1
  }

  seal(text: string): Buffer {
    return seal(this.newest, text)
  }

  /** Throws where `open` does with every key. */
  open(sealed: Uint8Array): string {
    const fitting = this.keys.find((key) => fits(key, sealed)) ?? this.newest
    return open(fitting, sealed)
  }

  /** The same text sealed with the newest key; nothing if it already is. */
  reseal(sealed: Uint8Array): Buffer | undefined {
    return fits(this.newest, sealed) ? undefined : this.seal(this.open(sealed))
  }
}

/** Seals with the newest key of a service; the older ones still open what they sealed. What is sealed for one owner opens for no other. */
export class Sealer {
  private readonly keys: ReadonlyMap<string, Uint8Array>
  private readonly newest: Uint8Array

  /** 32 bytes each, the newest first. */
  constructor(keys: readonly Uint8Array[]) {
    this.newest = newestOf(keys)
    this.keys = new Map(keys.map((key) => [idOf(key).toString('hex'), key]))
  }

  get hasOlderKeys(): boolean {
    return this.keys.size > 1
  }

  /** The key id, then the output of `seal`. */
  seal(text: string, owner: Uint8Array): Buffer {
    const id = idOf(this.newest)
    return Buffer.concat([id, seal(this.newest, text, Buffer.concat([id, owner]))])
  }

  /** Throws where `open` does, and where the key is missing. */
  open(sealed: Buffer, owner: Uint8Array): string {
    if (sealed.length < KEY_ID_BYTES) throw tooShort()
    const id = sealed.subarray(0, KEY_ID_BYTES)
    const key = this.keys.get(id.toString('hex'))
    if (!key) throw new Error('The key that sealed this is not among KEY_ENCRYPTION_KEYS.')
    return open(key, sealed.subarray(KEY_ID_BYTES), Buffer.concat([id, owner]))
  }

  /** The same text sealed with the newest key; nothing if it already is. */
  reseal(sealed: Buffer, owner: Uint8Array): Buffer | undefined {
    if (sealed.subarray(0, KEY_ID_BYTES).equals(idOf(this.newest))) return undefined
    return this.seal(this.open(sealed, owner), owner)
  }
}

function newestOf(keys: readonly Uint8Array[]): Uint8Array {
  const [newest] = keys
  if (!newest || keys.some((key) => key.length !== KEY_BYTES)) throw new Error('At least one sealing key of 32 bytes is required.')
  return newest
}

function fits(key: Uint8Array, sealed: Uint8Array): boolean {
  try {
    open(key, sealed)
    return true
  } catch {
    return false
  }
}

function idOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('sealing key').update(key).digest().subarray(0, KEY_ID_BYTES)
}

function tooShort(): Error {
  return new Error('The sealed text is too short.')
}
