/** An upstream that may become primary. */
export interface PrimaryCandidate {
  readonly name: string
  readonly priority: number
  readonly head: number
  readonly latencyMs: number
  /** It answers, has the right chain id and does not synchronize. */
  readonly isHealthy: boolean
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
  const [best] = suited.toSorted((a, b) => b.priority - a.priority || b.head - a.head || a.latencyMs - b.latencyMs)
  return usable.find(({ name }) => name === before) ?? best
}

export function bestHead(candidates: Iterable<PrimaryCandidate>): number {
  let best = 0
  for (const { isHealthy, head } of candidates) if (isHealthy && head > best) best = head
  return best
}
