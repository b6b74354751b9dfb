import type { listRevocations } from '@trestle/contracts/accounts/messages'
import type { RequestOf } from '@trestle/contracts/message'
import { Problem } from '@trestle/problem/problem'

/** A place in the list of revocations, which is in the order of their times. */
export interface RevocationPosition {
  readonly recordedAt: Date
  readonly kind: string
  readonly id: string
}

// A transaction becomes visible when it commits, which is after the time that it recorded.
const OVERLAP_MS = 60_000

const AFTER = /^(0|[1-9]\d{0,12})\.([a-z]{1,20})\.([0-9a-z-]{1,80})$/

/** Where a reply starts: where the last page ended, or shortly before the time that the caller has everything up to. */
export function startPosition({ since, after }: RequestOf<typeof listRevocations>): RevocationPosition {
  if (after === undefined) return { recordedAt: new Date(since === undefined ? 0 : Date.parse(since) - OVERLAP_MS), kind: '', id: '' }
  const [, time, kind, id] = AFTER.exec(after) ?? []
  if (time === undefined || kind === undefined || id === undefined)
    throw new Problem('invalid', 'InvalidCursor', '`after` must be the `next` of an earlier reply.')
  return { recordedAt: new Date(Number(time)), kind, id }
}

export function encodePosition({ recordedAt, kind, id }: RevocationPosition): string {
  return `${recordedAt.getTime()}.${kind}.${id}`
}
