import { PUBLIC_KEY_LENGTH, SECRET_KEY_LENGTH } from './bls.js'
import { JsonObject, parseJson } from './json.js'
import { InvalidEthereumData } from './malformed.js'

/** A secret key encrypted with a password (EIP-2335). */
export interface Keystore {
  readonly kdf: Pbkdf2 | Scrypt
  readonly checksum: Buffer
  readonly iv: Buffer
  readonly cipherText: Buffer
  readonly pubkey: Buffer
  readonly path: string
  readonly uuid: string
  readonly description?: string
}

export interface Pbkdf2 {
  readonly function: 'pbkdf2'
  readonly salt: Buffer
  readonly keyLength: number
  readonly iterations: number
}

interface Scrypt {
  readonly function: 'scrypt'
  readonly salt: Buffer
  readonly keyLength: number
  readonly n: number
  readonly r: number
  readonly p: number
}

export function parseKeystore(json: unknown): Keystore {
  const keystore = JsonObject.of(parseJson(json), 'A keystore')
  keystore.integer('version', VERSION, VERSION)
  const crypto = keystore.object('crypto')
  const checksum = moduleOf(crypto, 'checksum', 'sha256')
  const cipher = moduleOf(crypto, 'cipher', 'aes-128-ctr')
  return {
    kdf: parseKdf(crypto.object('kdf')),
    checksum: checksum.bytes('message', 32),
    iv: cipher.object('params').bytes('iv', IV_LENGTH),
    cipherText: cipher.bytes('message', SECRET_KEY_LENGTH),
    // EIP-2335 requires it for a private key.
    pubkey: keystore.bytes('pubkey', PUBLIC_KEY_LENGTH),
    path: keystore.text('path'),
    uuid: keystore.text('uuid'),
    ...(keystore.has('description') && { description: keystore.text('description') }),
  }
}

/** JSON of EIP-2335, which every validator client imports. */
export function formatKeystore({ kdf, checksum, iv, cipherText, pubkey, path, uuid, description }: Keystore): object {
  return {
    crypto: {
      kdf: { function: kdf.function, params: formatKdf(kdf), message: '' },
      checksum: { function: 'sha256', params: {}, message: checksum.toString('hex') },
      cipher: { function: 'aes-128-ctr', params: { iv: iv.toString('hex') }, message: cipherText.toString('hex') },
    },
    ...(description !== undefined && { description }),
    pubkey: pubkey.toString('hex'),
    path,
    uuid,
    version: VERSION,
  }
}

/** EIP-2335: NFKD without C0, C1 and delete, in UTF-8. */
export function passwordBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFKD').replace(/\p{Cc}/gu, ''))
}

const VERSION = 4
export const KEY_LENGTH = 32
export const IV_LENGTH = 16
// Keystores from elsewhere that would take minutes or gigabytes to decrypt are refused.
const MAX_ITERATIONS = 2 ** 24
export const MAX_MEMORY = 2 ** 30
const MAX_KEY_LENGTH = 64

function moduleOf(crypto: JsonObject, name: string, algorithm: string): JsonObject {
  const module = crypto.object(name)
  if (module.text('function') !== algorithm) throw new InvalidEthereumData(`The ${name} of the keystore is not ${algorithm}.`)
  return module
}

function parseKdf(module: JsonObject): Pbkdf2 | Scrypt {
  const params = module.object('params')
  const salt = params.bytes('salt')
  const keyLength = params.integer('dklen', KEY_LENGTH, MAX_KEY_LENGTH)
  const algorithm = module.text('function')
  if (algorithm === 'scrypt') return { function: algorithm, salt, keyLength, ...parseScrypt(params) }
  if (algorithm !== 'pbkdf2' || params.text('prf') !== 'hmac-sha256')
    throw new InvalidEthereumData('The keystore uses neither scrypt nor pbkdf2 with hmac-sha256.')
  return { function: algorithm, salt, keyLength, iterations: params.integer('c', 1, MAX_ITERATIONS) }
}

function parseScrypt(params: JsonObject): Pick<Scrypt, 'n' | 'r' | 'p'> {
  const n = params.integer('n', 2, MAX_MEMORY)
  const r = params.integer('r', 1, 64)
  const p = params.integer('p', 1, 16)
  // RFC 7914.
  if ((n & (n - 1)) !== 0 || 128 * n * r > MAX_MEMORY)
    throw new InvalidEthereumData('The cost of scrypt is not a power of two, or too high.')
  return { n, r, p }
}

function formatKdf(kdf: Pbkdf2 | Scrypt): object {
  const salt = kdf.salt.toString('hex')
  if (kdf.function === 'pbkdf2') return { dklen: kdf.keyLength, c: kdf.iterations, prf: 'hmac-sha256', salt }
  return { dklen: kdf.keyLength, n: kdf.n, p: kdf.p, r: kdf.r, salt }
}
