import type { Silence } from './validator-record.js'

/** What the chain saw signed with a key in an epoch that is over, and in later ones so far. */
interface SeenSigning {
  readonly epoch: number
  readonly isLive: boolean
}

/** An epoch with a signature, or one that nobody watched, begins the count again. */
export function silenceAfter(silence: Silence | undefined, { epoch, isLive }: SeenSigning): Silence | undefined {
  if (isLive) return undefined
  if (!silence || epoch > silence.to + 1) return { from: epoch, to: epoch }
  return { from: silence.from, to: Math.max(silence.to, epoch) }
}
