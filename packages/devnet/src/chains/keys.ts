import { createECDH } from 'node:crypto'
import { sha256, sha256d } from '@trestle/bitcoin/hash'

export interface Key {
  readonly publicKey: Buffer
  /** The private key as nodes import it on regtest. */
  readonly wif: string
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const REGTEST_PRIVATE_KEY = 0xef
const COMPRESSED = 1

/** The same key for the same name, on every machine: for play money only. */
export function keyOf(name: string): Key {
  const secret = sha256(Buffer.from(`trestle devnet: ${name}`))
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(secret)
  const wif = base58Check(Buffer.from([REGTEST_PRIVATE_KEY, ...secret, COMPRESSED]))
  return { publicKey: pair.getPublicKey(null, 'compressed'), wif }
}

/** For what does not begin with a zero byte. */
export function base58Check(payload: Buffer): string {
  const checksum = sha256d(payload).subarray(0, 4)
  let number = BigInt(`0x${Buffer.concat([payload, checksum]).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = `${BASE58[Number(number % 58n)]}${text}`
  return text
}
