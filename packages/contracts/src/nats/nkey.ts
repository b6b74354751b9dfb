import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

// Nkeys of users: Ed25519 in base32, behind a prefix and before a checksum. https://github.com/nats-io/nkeys
// By Node, as the library of NATS computes in JavaScript: a hundred times slower.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const USER = 20 << 3
const SEED = 18 << 3
/** What PKCS #8 has before an Ed25519 seed of 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The seed of a user's key: `SU…`. */
export function encodeNatsSeed(raw: Uint8Array): string {
  return encode(Buffer.from([SEED | (USER >> 5), (USER & 31) << 3, ...raw]))
}

export function privateKeyOf(seed: string): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, decode(seed).subarray(2, 34)]), format: 'der', type: 'pkcs8' })
}

/** The public half: `U…`. */
export function publicNkey(seed: string): string {
  const key = createPublicKey(privateKeyOf(seed))
  return encode(Buffer.from([USER, ...key.export({ format: 'der', type: 'spki' }).subarray(-32)]))
}

function encode(bytes: Buffer): string {
  const checked = Buffer.concat([bytes, Buffer.alloc(2)])
  checked.writeUInt16LE(crc16(bytes), bytes.length)
  const bits = [...checked].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function decode(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** XMODEM's. */
function crc16(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => {
    let crc = sum ^ (byte << 8)
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
    return crc
  }, 0)
}
