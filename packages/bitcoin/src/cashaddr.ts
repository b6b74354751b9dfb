import { bech32 } from '@scure/base'

/** What a cash address holds. */
export interface CashAddress {
  readonly type: 'key' | 'script'
  readonly hash: Buffer
}

// The cash address specification: the version byte is four bits of type and three of length.
// Types 2 and 3 are those of an owner who takes tokens too (CHIP-2022-02); the script is the same.
const TYPES = ['key', 'script', 'key', 'script'] as const
const HASH_LENGTHS = [20, 24, 28, 32, 40, 48, 56, 64]
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_LENGTH = 8
const GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

export function encodeCashAddress(prefix: string, { type, hash }: CashAddress): string {
  const version = (TYPES.indexOf(type) << 3) | HASH_LENGTHS.indexOf(hash.length)
  const payload = bech32.toWords(Buffer.concat([Buffer.of(version), hash]))
  const checksum = checksumOf(prefix, [...payload, ...Array<number>(CHECKSUM_LENGTH).fill(0)])
  const words = Array.from({ length: CHECKSUM_LENGTH }, (_, index) => Number((checksum >> BigInt(35 - 5 * index)) & 31n))
  return `${prefix}:${[...payload, ...words].map((word) => CHARSET[word]).join('')}`
}

/** Whether these are the characters, with their checksum, that follow this prefix. */
export function hasCashChecksum(prefix: string, text: string): boolean {
  const words = wordsOf(text)
  return !words.includes(-1) && checksumOf(prefix, words) === 0n
}

/** The meaning of the characters after the prefix, undefined if the specification gives them none. */
export function decodeCashAddress(text: string): CashAddress | undefined {
  const payload = bech32.fromWordsUnsafe(wordsOf(text).slice(0, -CHECKSUM_LENGTH))
  const [version = 0xff] = payload ?? []
  const type = TYPES[version >> 3]
  const hash = Buffer.from(payload?.subarray(1) ?? [])
  return type && hash.length === HASH_LENGTHS[version & 7] ? { type, hash } : undefined
}

function wordsOf(text: string): number[] {
  return Array.from(text, (character) => CHARSET.indexOf(character))
}

/** The BCH code over the low five bits of each character of the prefix, a zero, and the words. */
function checksumOf(prefix: string, words: readonly number[]): bigint {
  let checksum = 1n
  for (const word of [...Array.from(prefix, (character) => character.charCodeAt(0) & 31), 0, ...words]) {
    const top = checksum >> 35n
    checksum = ((checksum & 0x07ffffffffn) << 5n) ^ BigInt(word)
    for (const [bit, generator] of GENERATOR.entries()) if ((top >> BigInt(bit)) & 1n) checksum ^= generator
  }
  return checksum ^ 1n
}
