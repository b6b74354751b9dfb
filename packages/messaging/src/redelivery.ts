import type { Problem } from '@trestle/problem/problem'

const MAX_DELIVERIES = 20
const FIRST_MS = 1_000
const MAX_MS = 300_000

/** Milliseconds until a failed message is delivered again; undefined once it has been tried often enough. */
export function retryDelay({ kind }: Problem, deliveries: number): number | undefined {
  // While a part of the platform is away, the message is not to blame.
  if (deliveries >= MAX_DELIVERIES && kind !== 'unavailable') return undefined
  return pauseAfter(deliveries)
}

export function pauseAfter(deliveries: number): number {
  return Math.min(FIRST_MS * 2 ** (deliveries - 1), MAX_MS)
}
