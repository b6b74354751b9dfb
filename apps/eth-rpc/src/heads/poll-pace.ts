const RETRY_MS = 250
/** Of one whose heads come by WebSocket: polling only finds what that missed. */
const TRUSTED_FACTOR = 5
/** One with a budget is asked for its head so often, while others serve: it is not to fall behind. */
const SPARED_MS = 15_000

interface PollState {
  readonly pollMs: number
  readonly hasFailed: boolean
  readonly isSpared: boolean
  /** Its heads come by WebSocket without a gap. */
  readonly isStreamed: boolean
}

/** How long until a node is asked for its head again. */
export function pollPauseMs({ pollMs, hasFailed, isSpared, isStreamed }: PollState): number {
  if (isSpared) return Math.max(SPARED_MS, pollMs)
  if (hasFailed) return Math.min(RETRY_MS, pollMs)
  return isStreamed ? pollMs * TRUSTED_FACTOR : pollMs
}
