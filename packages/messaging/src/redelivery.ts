import type { Problem } from '@trestle/problem/problem'

const MAX_DELIVERIES = 20
const FIRST_MS = 1_000
const LONGEST_MS = 300_000

/** How long to wait before a failed message is tried again, in milliseconds; undefined once it was tried enough. */
export function retryDelay({ kind }: Problem, deliveries: number): number | undefined {
  // While a part of the platform is away no message is to blame.
  if (deliveries >= MAX_DELIVERIES && kind !== 'unavailable') return undefined
  return pauseAfter(deliveries)
}

export function pauseAfter(deliveries: number): number {
  return Math.min(FIRST_MS * 2 ** (deliveries - 1), LONGEST_MS)
}
