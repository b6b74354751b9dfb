import blst from '@chainsafe/blst'

/** The order of the group that keys are numbers of (draft-irtf-cfrg-bls-signature, 4.2.1). */
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const INFINITY = Buffer.concat([Buffer.from([0xc0]), Buffer.alloc(95)])

/**
 * The aggregate of everybody's signature of the same message: the keys are added instead of the signatures, for the result is the
 * same, at the price of one. Nobody's is the point at infinity.
 */
export function signTogether(keys: readonly Buffer[], signingRoot: Uint8Array): Uint8Array {
  if (keys.length === 0) return INFINITY
  const sum = keys.reduce((total, key) => (total + BigInt(`0x${key.toString('hex')}`)) % ORDER, 0n)
  return blst.SecretKey.fromBytes(Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'))
    .sign(signingRoot)
    .toBytes()
}
