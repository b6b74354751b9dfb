import blst, { type PublicKey, type SecretKey } from '@chainsafe/blst'
import { InvalidEthereumData } from './malformed.js'

// Keys and signatures are compressed bytes. The library's ciphersuite is that of the consensus specification,
// BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_.

export const SECRET_KEY_LENGTH = 32
export const PUBLIC_KEY_LENGTH = 48
export const SIGNATURE_LENGTH = 96

/** KeyGen of the BLS draft, from at least 32 random bytes. */
export function secretKeyFrom(random: Uint8Array): Buffer {
  return Buffer.from(blst.SecretKey.fromKeygen(random).toBytes())
}

export function publicKeyOf(secretKey: Uint8Array): Buffer {
  return Buffer.from(parseSecretKey(secretKey).toPublicKey().toBytes())
}

/** Signs, and verifies the signature from its bytes as others will: a hardware fault must not leave this machine. */
export function sign(secretKey: Uint8Array, message: Uint8Array, publicKey: Uint8Array = publicKeyOf(secretKey)): Buffer {
  const signature = Buffer.from(parseSecretKey(secretKey).sign(message).toBytes())
  if (!verify(publicKey, message, signature)) throw new Error('The signature does not verify with its key.')
  return signature
}

/** Whether this is a signature of this key. False for a key or signature that is infinity or not a point of the right group. */
export function verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  // The library also reads the uncompressed form, which no container has.
  if (publicKey.length !== PUBLIC_KEY_LENGTH || signature.length !== SIGNATURE_LENGTH) return false
  try {
    return blst.verify(message, blst.PublicKey.fromBytes(publicKey), blst.Signature.fromBytes(signature), true, true)
  } catch {
    return false
  }
}

/** KeyValidate of the BLS draft: a point of the group that is not infinity. */
export function isPublicKey(bytes: Uint8Array): boolean {
  return bytes.length === PUBLIC_KEY_LENGTH && validated(bytes) !== undefined
}

/** EIP-2333, along a path of EIP-2334 such as m/12381/3600/0/0/0. */
export function deriveSecretKey(seed: Uint8Array, path: string): Buffer {
  const indices = parsePath(path)
  if (seed.length < SECRET_KEY_LENGTH) throw new InvalidEthereumData(`A seed must have at least ${SECRET_KEY_LENGTH} bytes.`)
  let key = blst.SecretKey.deriveMasterEip2333(seed)
  for (const index of indices) key = key.deriveChildEip2333(index)
  return Buffer.from(key.toBytes())
}

/** The numbers of an EIP-2334 path. */
function parsePath(path: string): number[] {
  if (!/^m(\/(0|[1-9][0-9]{0,9}))*$/.test(path))
    throw new InvalidEthereumData('A path is m followed by numbers, each after a slash (EIP-2334).')
  const indices = path.split('/').slice(1).map(Number)
  if (indices.some((index) => index > 0xffff_ffff)) throw new InvalidEthereumData('A number of the path does not fit in 32 bits.')
  return indices
}

function parseSecretKey(bytes: Uint8Array): SecretKey {
  if (bytes.length !== SECRET_KEY_LENGTH) throw new InvalidEthereumData(`A secret key has ${SECRET_KEY_LENGTH} bytes.`)
  try {
    return blst.SecretKey.fromBytes(bytes)
  } catch (cause) {
    throw new InvalidEthereumData('The bytes are not a secret key: zero, or not below the order of the group.', { cause })
  }
}

function validated(bytes: Uint8Array): PublicKey | undefined {
  try {
    return blst.PublicKey.fromBytes(bytes, true)
  } catch {
    return undefined
  }
}
