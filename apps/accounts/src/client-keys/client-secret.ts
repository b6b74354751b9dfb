import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

// A prefix that no other platform uses, and a checksum: a scanner recognises a leaked secret without asking us, and a mistyped
// one is refused without a query. The underscore lets a double click select all of it.
const PREFIX = 'trs_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 43
const CHECK_DIGITS = 6
const FORMAT = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_DIGITS + CHECK_DIGITS}}$`)

/** The secret of 32 random bytes. */
export function clientSecret(random: Uint8Array): string {
  const body = PREFIX + base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), RANDOM_DIGITS)
  return body + checksum(body)
}

/** Whether a text has the format of a secret. */
export function isClientSecret(text: string): boolean {
  return FORMAT.test(text) && checksum(text.slice(0, -CHECK_DIGITS)) === text.slice(-CHECK_DIGITS)
}

/** What is stored: a secret of 256 random bits needs no slow hash. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECK_DIGITS)
}

function base62(number: bigint, digits: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text.padStart(digits, ALPHABET[0])
}
