import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { KeySealer } from './key-sealer.js'

const CIPHER = 'aes-256-gcm'
const ID_LENGTH = 8
const NONCE_LENGTH = 12
const TAG_LENGTH = 16

/** Seals with keys that this process was given: the first of them from now on; the others open what they sealed. */
export class LocalKeySealer extends KeySealer {
  private readonly keys: ReadonlyMap<string, Buffer>
  private readonly newest: Buffer

  /** 32 bytes each, the newest first. */
  constructor(keys: readonly Buffer[]) {
    super()
    const [newest] = keys
    if (!newest || keys.some((key) => key.length !== 32)) throw new Error('A sealing key has 32 bytes, and there must be one.')
    this.newest = newest
    this.keys = new Map(keys.map((key) => [idOf(key).toString('hex'), key]))
  }

  /** The sealing key's id, nonce, ciphertext and tag. The nonces are random (NIST SP 800-38D): 2^32 passwords under one key are too many. */
  seal(password: string, pubkey: Buffer): Buffer {
    const id = idOf(this.newest)
    const nonce = randomBytes(NONCE_LENGTH)
    const cipher = createCipheriv(CIPHER, this.newest, nonce).setAAD(Buffer.concat([id, pubkey]))
    return Buffer.concat([id, nonce, cipher.update(password, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  open(sealed: Buffer, pubkey: Buffer): string {
    if (sealed.length < ID_LENGTH + NONCE_LENGTH + TAG_LENGTH) throw new Error('This is too short to be a sealed password.')
    const id = sealed.subarray(0, ID_LENGTH)
    const key = this.keys.get(id.toString('hex'))
    if (!key) throw new Error('The password is sealed under a key that is not among KEY_ENCRYPTION_KEYS.')
    const nonce = sealed.subarray(ID_LENGTH, ID_LENGTH + NONCE_LENGTH)
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_LENGTH }).setAAD(Buffer.concat([id, pubkey]))
    decipher.setAuthTag(sealed.subarray(-TAG_LENGTH))
    const text = [decipher.update(sealed.subarray(ID_LENGTH + NONCE_LENGTH, -TAG_LENGTH)), decipher.final()]
    return Buffer.concat(text).toString('utf8')
  }
}

function idOf(key: Buffer): Buffer {
  return createHash('sha256').update('sealing key').update(key).digest().subarray(0, ID_LENGTH)
}
