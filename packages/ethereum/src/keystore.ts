import { createCipheriv, hash, pbkdf2, randomBytes, randomUUID, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { PUBLIC_KEY_LENGTH, publicKeyOf, SECRET_KEY_LENGTH } from './bls.js'
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

interface Pbkdf2 {
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

interface EncryptOptions {
  readonly path?: string
  /** Makes guessing passwords expensive. A random password cannot be guessed, so its keystore may have fewer. */
  readonly iterations?: number
}

/** 256 random bits. */
export function randomPassword(): string {
  return randomBytes(32).toString('base64url')
}

export async function encryptKeystore(secretKey: Buffer, password: string, options: EncryptOptions = {}): Promise<Keystore> {
  const { path = '', iterations = STANDARD_ITERATIONS } = options
  const kdf: Pbkdf2 = { function: 'pbkdf2', salt: randomBytes(32), keyLength: KEY_LENGTH, iterations }
  const iv = randomBytes(IV_LENGTH)
  const pubkey = publicKeyOf(secretKey)
  const key = await derive(kdf, password)
  const cipherText = aes128Ctr(key, iv, secretKey)
  return { kdf, checksum: checksumOf(key, cipherText), iv, cipherText, pubkey, path, uuid: randomUUID() }
}

/** The secret key. The keystore is refused if its public key is another one. */
export async function decryptKeystore({ kdf, checksum, iv, cipherText, pubkey }: Keystore, password: string): Promise<Buffer> {
  const key = await derive(kdf, password)
  if (!checksumOf(key, cipherText).equals(checksum)) throw new InvalidEthereumData('The password does not decrypt this keystore.')
  const secretKey = aes128Ctr(key, iv, cipherText)
  // The checksum covers neither the initialisation vector nor the public key, and slashing protection of the wrong public key would
  // protect nothing.
  if (!publicKeyOf(secretKey).equals(pubkey)) throw new InvalidEthereumData('The keystore contains another key than it names.')
  return secretKey
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
const STANDARD_ITERATIONS = 262_144
const KEY_LENGTH = 32
const IV_LENGTH = 16
// A foreign keystore that would take minutes or gigabytes to decrypt is refused.
const MAX_ITERATIONS = 2 ** 24
const MAX_MEMORY = 2 ** 30
const MAX_KEY_LENGTH = 64

const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = promisify<string | Buffer, Buffer, number, object, Buffer>(scrypt)

/** Runs on libuv's threads. */
async function derive(kdf: Pbkdf2 | Scrypt, password: string): Promise<Buffer> {
  const { salt, keyLength } = kdf
  if (kdf.function === 'pbkdf2') return pbkdf2Async(passwordBytes(password), salt, kdf.iterations, keyLength, 'sha256')
  const { n, r, p } = kdf
  try {
    return await scryptAsync(passwordBytes(password), salt, keyLength, { N: n, r, p, maxmem: 2 * MAX_MEMORY })
  } catch (cause) {
    throw new InvalidEthereumData('scrypt does not support the cost in the keystore.', { cause })
  }
}

function checksumOf(key: Buffer, cipherText: Buffer): Buffer {
  return hash('sha256', Buffer.concat([key.subarray(16, 32), cipherText]), 'buffer')
}

/** Its own inverse. */
function aes128Ctr(key: Buffer, iv: Buffer, text: Buffer): Buffer {
  return createCipheriv('aes-128-ctr', key.subarray(0, 16), iv).update(text)
}

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
