import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { secretKeyFrom } from '../src/bls.js'
import { networkOf } from '../src/network.js'
import type { DepositData } from '../src/ssz.js'
import { MAX_UINT64 } from '../src/uint64.js'

export const network = fc.constantFrom('mainnet', 'hoodi', 'sepolia', 'dev').map((name) => networkOf(name))

export const uint64 = fc.oneof(fc.constantFrom(0n, 1n, 32_000_000_000n, MAX_UINT64), fc.bigInt({ min: 0n, max: MAX_UINT64 }))

export function arbitraryBytes(minLength = 0, maxLength = minLength): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array))
}

/** Making one takes a moment, so there are few. */
export const SECRET_KEYS = Array.from({ length: 4 }, () => secretKeyFrom(randomBytes(64)))

export const secretKey = fc.constantFrom(...SECRET_KEYS)

/** Bytes of the right lengths; nobody signed them. */
export const depositData: fc.Arbitrary<DepositData> = fc.record({
  pubkey: arbitraryBytes(48),
  withdrawalCredentials: arbitraryBytes(32),
  amountGwei: uint64,
  signature: arbitraryBytes(96),
})

/** These bytes, and where in them one bit changes. */
export function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  const index = (at >> 3) % changed.length
  changed[index] = (changed[index] ?? 0) ^ (1 << (at & 7))
  return changed
}
