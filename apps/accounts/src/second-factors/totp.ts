import { createHmac, timingSafeEqual } from 'node:crypto'

// RFC 6238 with the values that every authenticator app has: SHA-1, six digits, steps of 30 seconds.
const DIGITS = 6
const STEP_SECONDS = 30
/** RFC 6238 section 5.2: a clock may be one step off, and typing takes time. */
const TOLERATED_STEPS = [0, -1, 1] as const
/** RFC 4226 section 4, R6: 160 bits. */
export const SECRET_BYTES = 20

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4226 section 5.3. */
export function hotp(secret: Uint8Array, counter: number, digits = DIGITS, algorithm = 'sha1'): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac(algorithm, secret).update(message).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** RFC 6238 section 4.2: the number of steps since 1970. */
export function stepAt(time: Date): number {
  return Math.floor(time.getTime() / 1000 / STEP_SECONDS)
}

/** The step of which a text is the code, if it is near enough and later than that of the last accepted code. */
export function acceptedStep(
  secret: Uint8Array,
  text: string,
  { now, lastStep }: { now: Date; lastStep: number | null },
): number | undefined {
  const code = normalizedCode(text)
  if (!/^\d{6}$/.test(code)) return undefined
  const steps = TOLERATED_STEPS.map((offset) => stepAt(now) + offset)
  return steps.find((step) => step > (lastStep ?? -1) && timingSafeEqual(Buffer.from(hotp(secret, step)), Buffer.from(code)))
}

/** As people type it: `123 456`. */
function normalizedCode(text: string): string {
  return text.replace(/[\s-]/g, '')
}

/** RFC 4648 section 6, without padding: how apps take a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** What apps read from a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function otpauthUri({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const query = new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: String(DIGITS), period: String(STEP_SECONDS) })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${String(query).replaceAll('+', '%20')}`
}
