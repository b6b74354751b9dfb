import type { AttestationRewards } from './beacon-responses.js'

/** Which validators somebody signed for, in an epoch that is over and since. */
export interface SeenValidators {
  readonly epoch: number
  readonly live: ReadonlySet<number>
}

/** What a node says of some validators: of the last epoch that is over, and of the current one. */
export interface LivenessAnswer {
  readonly previous: ReadonlyMap<number, boolean>
  readonly current?: ReadonlyMap<number, boolean>
}

/** Whatever one node saw was signed. Undefined if no node answered for all of them. */
export function seenInGossip(epoch: number, indices: readonly number[], answers: readonly LivenessAnswer[]): SeenValidators | undefined {
  const whole = answers.filter(({ previous }) => indices.every((index) => previous.has(index)))
  if (whole.length === 0) return undefined
  const isLive = (index: number) => answers.some(({ previous, current }) => previous.get(index) || current?.get(index))
  return { epoch, live: new Set(indices.filter(isLive)) }
}

/** A vote for the right target earns something however late it is included; for a source, if it was in time. Unknown ones count as live. */
export function seenInBlocks(epoch: number, indices: readonly number[], { total }: Pick<AttestationRewards, 'total'>): SeenValidators {
  const isMissed = (index: number) => {
    const reward = total.get(index)
    return reward !== undefined && reward.targetGwei < 0n && reward.sourceGwei < 0n
  }
  return { epoch, live: new Set(indices.filter((index) => !isMissed(index))) }
}
