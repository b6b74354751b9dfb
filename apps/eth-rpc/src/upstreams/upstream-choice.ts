import type { UpstreamStatus } from '../heads/head-feed.js'
import type { RpcMethod } from '../methods/method.js'
import type { UpstreamConfig } from './upstream-config.js'
import type { UpstreamHealth } from './upstream-health.js'

/** An upstream that may be asked. */
export interface UpstreamCandidate {
  readonly config: UpstreamConfig
  readonly health: UpstreamHealth
  /** It told that it has no state of this block: nor of an older one. */
  lacksStateAt(block: number, now: number): boolean
}

/** What a call needs of the upstream that answers it. */
export interface UpstreamNeeds {
  readonly method: Pick<RpcMethod, 'readsState'>
  readonly block?: number
  readonly archive?: boolean
  /** About what is not in a block yet: each node knows other transactions, and who asks again is to hear of the same. */
  readonly pending?: boolean
}

export interface UpstreamChoice<C extends UpstreamCandidate> {
  readonly candidates: readonly C[]
  readonly statuses: ReadonlyMap<string, UpstreamStatus>
  readonly now: number
  /** From 0 to 1. */
  random(): number
}

/** Whom to ask of those not asked yet: undefined where nobody is left. */
export function chooseUpstream<C extends UpstreamCandidate>(
  choosing: UpstreamChoice<C>,
  needs: UpstreamNeeds,
  tried: readonly C[],
): C | undefined {
  let best: C[] = []
  let bestRank = Number.NEGATIVE_INFINITY
  for (const candidate of choosing.candidates) {
    if (tried.includes(candidate) || !canAnswer(candidate, choosing, needs)) continue
    const rank = rankOf(candidate, needs, choosing)
    if (rank < bestRank) continue
    if (rank > bestRank) best = []
    bestRank = rank
    best.push(candidate)
  }
  return lighter(best, choosing.random)
}

/** It is on our chain, has the block, and did not ask to be left alone. */
function canAnswer(candidate: UpstreamCandidate, { statuses, now }: UpstreamChoice<UpstreamCandidate>, { block }: UpstreamNeeds): boolean {
  const status = statuses.get(candidate.config.name)
  if (!status?.isUsable || !status.isOnOurChain || candidate.health.isResting(now)) return false
  return block === undefined || status.head >= block
}

/** Its circuit counts for more than its archive, and that for more than its priority. One that is banned is still better than none: its head is followed all the same. */
function rankOf(
  candidate: UpstreamCandidate,
  { method, block, archive, pending }: UpstreamNeeds,
  { statuses, now }: UpstreamChoice<UpstreamCandidate>,
): number {
  const { config, health } = candidate
  let rank = config.priority
  if (pending && statuses.get(config.name)?.isPrimary) rank += 5_000
  if (archive && config.archive) rank += 1_000
  if (method.readsState && block !== undefined && candidate.lacksStateAt(block, now)) rank -= 10_000
  if (!health.admits(now)) rank -= 100_000
  return rank
}

/** The less loaded of two at random: no herd runs to the one that looks best. */
function lighter<C extends UpstreamCandidate>(candidates: readonly C[], random: () => number): C | undefined {
  if (candidates.length < 2) return candidates[0]
  const first = Math.floor(random() * candidates.length)
  const second = (first + 1 + Math.floor(random() * (candidates.length - 1))) % candidates.length
  const [a, b] = [candidates[first], candidates[second]]
  return a && b && b.health.load < a.health.load ? b : a
}
