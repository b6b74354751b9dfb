import { InvalidEthereumData } from './malformed.js'

export const MAX_UINT64 = 2n ** 64n - 1n

/** An integer in decimal digits, in the only form that the beacon API writes. */
export function parseUint64(text: string): bigint {
  // The length is checked first: parsing takes time quadratic in the number of digits.
  if (text.length > 20 || !/^(0|[1-9][0-9]*)$/.test(text)) throw new InvalidEthereumData('The text is not an integer in decimal digits.')
  return checkUint64(BigInt(text))
}

export function checkUint64(value: bigint): bigint {
  if (value < 0n || value > MAX_UINT64) throw new InvalidEthereumData('The number does not fit in 64 bits.')
  return value
}

/** SSZ and the deposit contract are little-endian. */
export function uint64LittleEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(checkUint64(value))
  return bytes
}
