// In ECDSA (r, s) and (r, n - s) sign the same. Only the lower s is accepted, so that a token has one signature for each time it was signed.

// FIPS 186-5 with SP 800-186 section 3.2.1.3: the order n of P-256.
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const HALF = bytesOf(ORDER >> 1n)
const SIZE = 32

/** Whether a signature (RFC 7518 section 3.4: r and s, side by side) has the lower s. */
export function hasLowS(signature: Uint8Array): boolean {
  return Buffer.compare(signature.subarray(SIZE), HALF) <= 0
}

/** The same signature with the lower s. */
export function withLowS(signature: Uint8Array): Uint8Array {
  if (hasLowS(signature)) return signature
  const s = BigInt(`0x${Buffer.from(signature.subarray(SIZE)).toString('hex')}`)
  return Buffer.concat([signature.subarray(0, SIZE), bytesOf(ORDER - s)])
}

function bytesOf(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
}
