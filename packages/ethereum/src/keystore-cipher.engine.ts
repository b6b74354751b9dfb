import { createCipheriv, hash, pbkdf2, randomBytes, randomUUID, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { publicKeyOf } from './bls.js'
import { IV_LENGTH, KEY_LENGTH, type Keystore, MAX_MEMORY, type Pbkdf2, passwordBytes } from './keystore.js'
import { InvalidEthereumData } from './malformed.js'

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

/** The secret key. A keystore with another public key is refused. */
export async function decryptKeystore({ kdf, checksum, iv, cipherText, pubkey }: Keystore, password: string): Promise<Buffer> {
  const key = await derive(kdf, password)
  if (!checksumOf(key, cipherText).equals(checksum)) throw new InvalidEthereumData('The password does not decrypt this keystore.')
  const secretKey = aes128Ctr(key, iv, cipherText)
  // The checksum covers neither the initialisation vector nor the public key, and slashing protection of the wrong public key would
  // protect nothing.
  if (!publicKeyOf(secretKey).equals(pubkey)) throw new InvalidEthereumData('The keystore contains another key than it names.')
  return secretKey
}

const STANDARD_ITERATIONS = 262_144

const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = promisify<string | Buffer, Buffer, number, object, Buffer>(scrypt)

/** Runs on libuv's threads. */
async function derive(kdf: Keystore['kdf'], password: string): Promise<Buffer> {
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
