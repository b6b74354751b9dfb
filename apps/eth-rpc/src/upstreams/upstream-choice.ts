import type { UpstreamStatus } from '../heads/head-feed.js'
import type { RpcMethod } from '../methods/method.js'
import type { UpstreamConfig } from './upstream-config.js'
import type { UpstreamHealth } from './upstream-health.js'

/** An upstream that may be chosen. */
export interface UpstreamCandidate {
  readonly config: UpstreamConfig
  readonly health: UpstreamHealth
  /** It has reported that it lacks the state of this block; then it lacks that of older ones, too. */
  lacksStateAt(block: number, now: number): boolean
  /** It has reported that it does not know this method. */
  lacksMethod(name: string, now: number): boolean
  /** When others have accepted the last transaction that it may not have heard of; of the clock of `performance.now`, 0 where there is none. */
  readonly unawareSince: number
  /** Its budget is used up. */
  readonly isSpent: boolean
  /** Its configuration lets it be asked for this method. */
  serves(method: string): boolean
}

/** What a call needs of the upstream that answers it. */
export interface UpstreamNeeds {
  readonly method: Pick<RpcMethod, 'name' | 'readsState'>
  readonly block?: number
  /** The first of several blocks that the call is about. */
  readonly fromBlock?: number
  readonly archive?: boolean
  /** About transactions not in a block yet: each node knows others, and the same question is to get the same answer. */
  readonly pending?: boolean
}

interface UpstreamChoice<C extends UpstreamCandidate> {
  readonly candidates: readonly C[]
  readonly statuses: ReadonlyMap<string, UpstreamStatus>
  readonly now: number
  /** Some have a weight or a cost. */
  readonly isWeighted?: boolean
  /** From 0 to 1. */
  random(): number
}

/** The upstream to ask of those not asked yet; undefined where none is left. */
export function chooseUpstream<C extends UpstreamCandidate>(
  choosing: UpstreamChoice<C>,
  needs: UpstreamNeeds,
  tried: readonly C[],
): C | undefined {
  const readsSent = needs.pending && needs.method.readsState
  let best: C[] = []
  let bestRank = Number.NEGATIVE_INFINITY
  const mayAnswer = (candidate: C) => canAnswer(candidate, choosing, needs) && (!readsSent || knowsSent(candidate, choosing, tried[0]))
  for (const candidate of choosing.candidates) {
    if (tried.includes(candidate) || !mayAnswer(candidate)) continue
    const rank = rankOf(candidate, needs, choosing)
    if (rank < bestRank) continue
    if (rank > bestRank) best = []
    bestRank = rank
    best.push(candidate)
  }
  return choosing.isWeighted ? weighted(best, choosing.random) : lighter(best, choosing.random)
}

/** It is on our chain, has the block, has not asked us to wait and has a call left, and may be asked for the method. */
function canAnswer(candidate: UpstreamCandidate, choosing: UpstreamChoice<UpstreamCandidate>, { block, method }: UpstreamNeeds): boolean {
  const { config, health } = candidate
  const status = statusOfServing(candidate, choosing)
  if (config.budget && candidate.isSpent) return false
  if (!status || health.isPaced(choosing.now) || (config.methods && !candidate.serves(method.name))) return false
  return block === undefined || status.head >= block
}

function statusOfServing({ config, health }: UpstreamCandidate, { statuses, now }: UpstreamChoice<UpstreamCandidate>) {
  const status = statuses.get(config.name)
  return status?.isUsable && status.isOnOurChain && !health.isResting(now) ? status : undefined
}

/** A nonce that is read right after a transaction was sent is to count it: only who knows most of those that serve is asked, and then nobody who knows less. */
function knowsSent(
  { unawareSince }: UpstreamCandidate,
  choosing: UpstreamChoice<UpstreamCandidate>,
  first: UpstreamCandidate | undefined,
): boolean {
  if (unawareSince === 0) return true
  if (first) return unawareSince <= first.unawareSince
  return !choosing.candidates.some((other) => other.unawareSince < unawareSince && statusOfServing(other, choosing))
}

// Less than what shows that one cannot answer, more than all that makes one better than another.
const METERED = 8_000

/** The circuit outweighs the budget, that the archive, and that the priority. One whose circuit is open is still better than none. */
function rankOf(
  candidate: UpstreamCandidate,
  { method, block, fromBlock = block, archive, pending }: UpstreamNeeds,
  { statuses, now }: UpstreamChoice<UpstreamCandidate>,
): number {
  const { config, health } = candidate
  let rank = config.priority
  if (pending && statuses.get(config.name)?.isPrimary) rank += 5_000
  if (archive && config.archive) rank += 1_000
  if (method.readsState && block !== undefined && candidate.lacksStateAt(block, now)) rank -= 10_000
  if (candidate.lacksMethod(method.name, now)) rank -= 20_000
  if (config.firstBlock !== undefined && fromBlock !== undefined && fromBlock < config.firstBlock) rank -= 40_000
  if (!health.admits(now)) rank -= 100_000
  if (config.budget) rank -= METERED
  return rank
}

/** The less loaded of two at random, so that not all calls go to the one that looks best. */
function lighter<C extends UpstreamCandidate>(candidates: readonly C[], random: () => number): C | undefined {
  if (candidates.length < 2) return candidates[0]
  const first = Math.floor(random() * candidates.length)
  const second = (first + 1 + Math.floor(random() * (candidates.length - 1))) % candidates.length
  const [a, b] = [candidates[first], candidates[second]]
  return a && b && b.health.load < a.health.load ? b : a
}

/** At random, each by its weight over its cost. */
function weighted<C extends UpstreamCandidate>(candidates: readonly C[], random: () => number): C | undefined {
  const shares = candidates.map(({ config: { weight = 1, cost = 1 } }) => weight / cost)
  let point = random() * shares.reduce((sum, share) => sum + share, 0)
  return (
    candidates.find((_, index) => {
      point -= shares[index] ?? 0
      return point < 0
    }) ?? candidates.at(-1)
  )
}
