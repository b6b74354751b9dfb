import { bls12_381 } from '@noble/curves/bls12-381.js'

/** The ciphersuite of the consensus specification (BLS signatures, section "BLS signatures" of beacon-chain.md). */
const SUITE = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

/** Whether this key has signed this root. Loaded on demand: pairings are most of the bundle of the verification. */
export function isSignedBy(pubkey: Uint8Array, root: Uint8Array, signature: Uint8Array): boolean {
  const { longSignatures } = bls12_381
  try {
    return longSignatures.verify(signature, longSignatures.hash(root, SUITE), pubkey)
  } catch {
    // No point of the curve, or not one of the right group.
    return false
  }
}
