/** An upstream that may become primary. */
export interface PrimaryCandidate {
  readonly name: string
  readonly priority: number
  readonly head: number
  readonly latencyMs: number
  /** It answers, has the right chain id and does not synchronize. */
  readonly isHealthy: boolean
  /** It has a budget: it is primary only where no other can be. */
  readonly isMetered?: boolean
}

/** Healthy, and not lagging behind the best. */
export function isUsable(candidate: PrimaryCandidate, all: Iterable<PrimaryCandidate>, maxLag: number): boolean {
  return candidate.isHealthy && bestHead(all) - candidate.head <= maxLag
}

interface PrimaryNeeds {
  readonly maxLag: number
  /** A new primary upstream has this block, if any does. */
  readonly head: number
}

/** The upstream whose chain is ours: the same as before for as long as it is usable. */
export function choosePrimary(
  before: string | undefined,
  candidates: readonly PrimaryCandidate[],
  { maxLag, head }: PrimaryNeeds,
): PrimaryCandidate | undefined {
  const usable = candidates.filter((candidate) => isUsable(candidate, candidates, maxLag))
  const reaching = usable.filter((candidate) => candidate.head >= head)
  const suited = reaching.length > 0 ? reaching : usable
  const own = suited.filter(({ isMetered }) => !isMetered)
  const preferred = own.length > 0 ? own : suited
  const [best] = preferred.toSorted((a, b) => b.priority - a.priority || b.head - a.head || a.latencyMs - b.latencyMs)
  const kept = usable.find(({ name }) => name === before)
  return kept?.isMetered && !best?.isMetered ? best : (kept ?? best)
}

export function bestHead(candidates: Iterable<PrimaryCandidate>): number {
  let best = 0
  for (const { isHealthy, head } of candidates) if (isHealthy && head > best) best = head
  return best
}
