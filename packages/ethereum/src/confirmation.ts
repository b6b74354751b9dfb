import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ADDRESS_LENGTH } from './address.js'
import { keccak256 } from './hash.js'
import { InvalidEthereumData } from './malformed.js'

/** What the owner of a validator signs to confirm its exit. */
export interface Confirmation {
  readonly chain: string
  readonly pubkey: Buffer
  /** As the owner wrote it. */
  readonly confirmationDate: string
}

/** The address whose key signed `{chain}:{pubkey}:{confirmationDate}`, the public key in lower case without 0x. */
export function confirmationSigner({ chain, pubkey, confirmationDate }: Confirmation, signature: Buffer): Buffer {
  return messageSigner(`${chain}:${pubkey.toString('hex')}:${confirmationDate}`, signature)
}

/** The address whose key signed this text as wallets do (ERC-191, version 0x45). Every signature yields some address: compare it. */
export function messageSigner(text: string, signature: Buffer): Buffer {
  if (signature.length !== 65) throw new InvalidEthereumData(`A signature has 65 bytes, not ${signature.length}.`)
  const message = Buffer.from(text)
  const digest = keccak256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]))
  return keccak256(recover(digest, signature).subarray(1)).subarray(-ADDRESS_LENGTH)
}

/** The uncompressed public key. */
function recover(digest: Buffer, signature: Buffer): Buffer {
  const recovery = RECOVERY.get(signature.readUInt8(64))
  if (recovery === undefined) throw new InvalidEthereumData('The last byte of the signature is not 27 or 28.')
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64))
    // EIP-2: only the lower value of s is valid, or every signature would have a twin.
    if (parsed.hasHighS()) throw new InvalidEthereumData('The signature has the higher value of s (EIP-2).')
    return Buffer.from(parsed.addRecoveryBit(recovery).recoverPublicKey(digest).toBytes(false))
  } catch (cause) {
    throw cause instanceof InvalidEthereumData ? cause : new InvalidEthereumData('The signature yields no public key.', { cause })
  }
}

// Some signers write 0 and 1.
const RECOVERY = new Map([
  [27, 0],
  [28, 1],
  [0, 0],
  [1, 1],
])
