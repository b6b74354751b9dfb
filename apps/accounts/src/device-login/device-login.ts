import { hash } from 'node:crypto'
import type { FactorProof } from '@trestle/auth/claims'
import type { DeviceLogin } from '@trestle/contracts/accounts/device-logins'
import { Problem } from '@trestle/problem/problem'

type DeviceLoginState = 'pending' | 'approved' | 'refused'

/** A device that waits for a user to sign it in. */
export interface DeviceLoginRecord {
  readonly userCode: string
  readonly state: DeviceLoginState
  readonly ip: string
  readonly userAgent: string
  readonly intervalSeconds: number
  readonly polledAt?: Date
  /** Who approved it, and their revocation epoch then. */
  readonly userId?: string
  readonly epoch?: number
  /** Of a second factor, as their token said. */
  readonly proof?: FactorProof
  readonly createdAt: Date
  readonly expiresAt: Date
}

export const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 5
/** RFC 8628 section 6.1: no vowels, so no words; no digits, so no mistaken ones. 8 of 20 are 2.5 * 10^10 codes. */
export const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8
/** Networks delay one poll more than the next. */
const TOLERANCE_MS = 500

export function newDeviceLogin(
  userCode: string,
  { ip, userAgent }: Pick<DeviceLoginRecord, 'ip' | 'userAgent'>,
  now: Date,
): DeviceLoginRecord {
  const expiresAt = new Date(now.getTime() + LIFETIME_SECONDS * 1000)
  return { userCode, state: 'pending', ip, userAgent, intervalSeconds: INTERVAL_SECONDS, createdAt: now, expiresAt }
}

/** What a user typed, in the spelling that is stored; undefined if it cannot be a code. */
export function parseUserCode(text: string): string | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return letters.length === USER_CODE_LENGTH && [...letters].every((letter) => USER_CODE_ALPHABET.includes(letter)) ? letters : undefined
}

/** In two halves, as people read it. */
export function readableUserCode(userCode: string): string {
  return `${userCode.slice(0, USER_CODE_LENGTH / 2)}-${userCode.slice(USER_CODE_LENGTH / 2)}`
}

export function hashDeviceCode(deviceCode: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', deviceCode, 'buffer'))
}

/** What a poll finds (RFC 8628 section 3.5), and the record after it; without one it is used up. */
export function polled(record: DeviceLoginRecord, now: Date): { readonly next?: DeviceLoginRecord; readonly problem?: Problem } {
  if (record.expiresAt <= now) return { problem: expiredDeviceCode() }
  const isEarly = record.polledAt && now.getTime() - record.polledAt.getTime() < record.intervalSeconds * 1000 - TOLERANCE_MS
  const next = { ...record, polledAt: now }
  if (isEarly) return { next: { ...next, intervalSeconds: record.intervalSeconds + INTERVAL_SECONDS }, problem: slowDown() }
  return POLLED[record.state](next)
}

const POLLED = {
  pending: (next: DeviceLoginRecord) => ({ next, problem: authorizationPending() }),
  refused: (next: DeviceLoginRecord) => ({ next, problem: accessDenied() }),
  approved: () => ({}),
} satisfies Record<DeviceLoginState, (next: DeviceLoginRecord) => { next?: DeviceLoginRecord; problem?: Problem }>

export function describeDeviceLogin({ userCode, ip, userAgent, createdAt, expiresAt }: DeviceLoginRecord): DeviceLogin {
  return { userCode: readableUserCode(userCode), ip, userAgent, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}

/** The same for a wrong code, one that has expired and one that somebody has decided about. */
export function unknownDeviceLogin(): Problem {
  return new Problem('unknown', 'UnknownDeviceLogin', 'No device waits with this code: check it, or begin again on the device.')
}

/** A session of the command line could otherwise make the next one, and so on for ever. */
export function browserNeeded(): Problem {
  return new Problem('forbidden', 'BrowserNeeded', 'Only a session that was opened in a browser, or with a password, can sign a device in.')
}

export function accessDenied(): Problem {
  return new Problem('forbidden', 'AccessDenied', 'The sign-in was refused in the browser.')
}

export function invalidDeviceCode(): Problem {
  return new Problem('invalid', 'InvalidDeviceCode', 'The device code is wrong or was used.')
}

export function unknownClient(): Problem {
  return new Problem('unauthenticated', 'InvalidClient', 'Only the client trestle-cli signs devices in.')
}

function authorizationPending(): Problem {
  return new Problem('invalid', 'AuthorizationPending', 'The user has not decided yet; ask again.')
}

function slowDown(): Problem {
  return new Problem('invalid', 'SlowDown', 'Ask again five seconds later than so far.')
}

function expiredDeviceCode(): Problem {
  return new Problem('invalid', 'ExpiredDeviceCode', 'Nobody decided within 10 minutes; begin again.')
}
