// What geth says of a text that is no number, hash or bytes: clients compare these words.

const HEX = /^[0-9a-fA-F]*$/
const NOT_HEX = 'invalid hex string'
const HASH_LENGTH = 66
const MAX_INT64 = 2n ** 63n - 1n
const MAX_UINT64 = 2n ** 64n - 1n

/** EIP-1474: quantities have 0x, at least one digit, and no leading zeros. Undefined of one that geth can hold. */
export function blockNumberFault(text: string, tooHigh: string): string | undefined {
  const fault = prefixFault(text)
  if (fault !== undefined) return fault
  const digits = text.slice(2)
  if (digits === '') return 'hex string "0x"'
  if (digits.length > 1 && digits.startsWith('0')) return 'hex number with leading zero digits'
  if (!HEX.test(digits)) return NOT_HEX
  const number = BigInt(text)
  if (number > MAX_UINT64) return 'hex number > 64 bits'
  return number > MAX_INT64 ? tooHigh : undefined
}

/** Undefined of bytes in hexadecimal. */
export function bytesFault(text: string): string | undefined {
  const fault = prefixFault(text)
  if (fault !== undefined) return fault
  if (text.length % 2 === 1) return 'hex string of odd length'
  return HEX.test(text.slice(2)) ? undefined : NOT_HEX
}

/** Undefined of 32 bytes in hexadecimal. `target` is what Go would read it into. */
export function hashFault(value: unknown, target = 'value'): string | undefined {
  const cannotRead = (what: string) => `json: cannot unmarshal ${what} into Go ${target} of type common.Hash`
  if (typeof value !== 'string') return cannotRead('non-string')
  const fault = value === '' ? undefined : bytesFault(value)
  // geth counts the digits before it reads them.
  const isCounted = fault === undefined || fault === NOT_HEX
  if (isCounted && value.length !== HASH_LENGTH) return `hex string has length ${Math.max(0, value.length - 2)}, want 64 for common.Hash`
  return fault && cannotRead(fault)
}

function prefixFault(text: string): string | undefined {
  if (text === '') return 'empty hex string'
  return text.startsWith('0x') ? undefined : 'hex string without 0x prefix'
}

/** As Go names the kinds of JSON. */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
