import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** `unchecked`: without mixed letters there is no checksum that could show a slip. */
type AddressCheck = 'right' | 'unchecked' | 'malformed' | 'misspelt' | 'zero'

export function checkAddress(text: string): AddressCheck {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'malformed'
  const digits = text.slice(2)
  if (/^0+$/.test(digits)) return 'zero'
  if (text === checksummed(text)) return 'right'
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() ? 'unchecked' : 'misspelt'
}

/** EIP-55: a letter is large where the digit of the hash of the small text is 8 or more. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  return `0x${Array.from(digits, (digit, index) => ((hash[index] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('')}`
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
