import { hash } from 'node:crypto'

export const RECOVERY_CODES = 10
/** 120 bits: no slow hash is needed (OWASP ASVS 5, 6.5.2), and nobody can guess one. */
export const RECOVERY_CODE_BYTES = 15

// Crockford's base 32: no letter that looks like a digit.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const FORMAT = /^[0-9a-hjkmnp-tv-z]{24}$/

/** As it is shown: six groups of four. */
export function recoveryCode(random: Uint8Array): string {
  const bits = [...random].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group, 2)]).join('')
  return digits.match(/.{4}/g)?.join('-') ?? ''
}

/** What is stored of a code, however it is typed; undefined for what is no recovery code. */
export function hashRecoveryCode(text: string): Buffer<ArrayBuffer> | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return FORMAT.test(code) ? Buffer.from(hash('sha256', code, 'buffer')) : undefined
}
