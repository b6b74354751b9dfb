import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'

const LEAF_VERSION = 0xc0
const { lift_x, pointToBytes, taggedHash } = schnorr.utils

/** BIP 341: the key that commits to an inner one, and to the root of a tree of scripts where there is one. */
export function outputKey(x: Uint8Array, root: Uint8Array = new Uint8Array()): Buffer {
  const tweak = secp256k1.Point.Fn.create(numberOf(taggedHash('TapTweak', x, root)))
  return Buffer.from(pointToBytes(lift_x(numberOf(x)).add(secp256k1.Point.BASE.multiply(tweak))))
}

export function leafHash(script: Buffer): Buffer {
  return Buffer.from(taggedHash('TapLeaf', Buffer.of(LEAF_VERSION), compactSize(script.length), script))
}

export function branchHash(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(taggedHash('TapBranch', ...[one, other].sort(Buffer.compare)))
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function compactSize(length: number): Buffer {
  if (length < 0xfd) return Buffer.of(length)
  const bytes = Buffer.of(0xfd, 0, 0)
  bytes.writeUInt16LE(length, 1)
  return bytes
}
