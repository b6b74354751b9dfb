import type { ChainBlock, FollowedChain } from './followed-chain.js'
import type { HeadClaims } from './head-claims.engine.js'
import type { UpstreamStatus } from './head-feed.js'
import type { HeadSource } from './head-source.engine.js'
import { isUsable } from './primary-upstream.js'
import type { Refusal } from './refusal.js'

type Watched = Pick<HeadSource, 'name' | 'candidate' | 'head' | 'agreement' | 'node' | 'refusal' | 'standsAside' | 'progress'>

interface StatusesOptions {
  readonly sources: readonly Watched[]
  readonly claims: Pick<HeadClaims, 'candidates' | 'verdictOf'>
  readonly chain: FollowedChain
  readonly primary: () => Watched | undefined
  readonly maxLag: number
  readonly onChange: () => void
}

type Judged = Pick<UpstreamStatus, 'isUsable' | 'isOnOurChain'>

interface Verdict {
  readonly head: ChainBlock
  readonly ours: ChainBlock
  readonly isOnOurChain: boolean
}

/** The status of each upstream. Where the blocks it has reported do not show whether it is on our chain, it is asked. */
export class UpstreamStatuses {
  readonly all = new Map<string, UpstreamStatus>()
  private readonly verdicts = new Map<string, Verdict>()
  private readonly asked = new Set<string>()

  constructor(private readonly options: StatusesOptions) {}

  /** Whether anything has changed. */
  refresh(): boolean {
    let changed = false
    const { sources, maxLag } = this.options
    const primary = this.options.primary()
    const candidates = this.options.claims.candidates(primary?.name)
    for (const [index, candidate] of candidates.entries()) {
      const source = sources[index]
      if (!source) continue
      const { name, head } = candidate
      const judged = { isOnOurChain: this.isOnOurChain(source), isUsable: isUsable(candidate, candidates, maxLag) }
      const refusal = this.refusalOf(source, judged)
      const status = { name, head, isPrimary: source === primary, ...judged, refusal, syncing: syncingOf(source, refusal) }
      if (isSame(this.all.get(name), status)) continue
      this.all.set(name, status)
      changed = true
    }
    return changed
  }

  /** It is no longer there. */
  forget(name: string): void {
    this.all.delete(name)
    this.verdicts.delete(name)
  }

  private refusalOf(source: Watched, { isUsable, isOnOurChain }: Judged): Refusal | undefined {
    if (source.refusal ?? source.standsAside) return source.refusal ?? source.standsAside
    const { chain, claims } = this.options
    const verdict = claims.verdictOf(source.name)
    if (verdict === 'unproven' || (!isUsable && !chain.head)) return UNPROVEN
    if (verdict === 'outvoted' && !isUsable) return { reason: 'other-branch', detail: 'most others are on another branch' }
    if (!isUsable) return { reason: 'lagging', detail: 'it lags behind the others' }
    return isOnOurChain || !chain.head ? undefined : { reason: 'other-branch', detail: 'it is not on our chain' }
  }

  private isOnOurChain(source: Watched): boolean {
    const agreement = source.agreement(this.options.chain)
    if (agreement !== 'unknown') return agreement === 'agrees'
    const { head } = source
    const ours = this.options.chain.head
    if (!head || !ours) return false
    const verdict = this.verdicts.get(source.name)
    if (verdict?.head.hash === head.hash && verdict.ours.hash === ours.hash) return verdict.isOnOurChain
    void this.ask(source, head, ours)
    return false
  }

  private async ask(source: Watched, head: ChainBlock, ours: ChainBlock): Promise<void> {
    if (this.asked.has(source.name)) return
    this.asked.add(source.name)
    try {
      const block = await source.node.blockAt(ours.number)
      this.verdicts.set(source.name, { head, ours, isOnOurChain: block?.hash === ours.hash })
    } catch {
      // It is asked again at its next head, or ours.
      return
    } finally {
      this.asked.delete(source.name)
    }
    if (this.refresh()) this.options.onChange()
  }
}

const UNPROVEN: Refusal = { reason: 'unproven', detail: 'its newest block neither links to our chain nor is known to a quorum' }

/** Shown while it is the reason why it is not asked. */
function syncingOf({ progress }: Watched, refusal: Refusal | undefined): UpstreamStatus['syncing'] {
  if (refusal?.reason !== 'syncing' || !progress || progress === 'unknown') return undefined
  const { currentBlock, highestBlock } = progress
  return { currentBlock, highestBlock }
}

function isSame(before: UpstreamStatus | undefined, { head, isPrimary, isOnOurChain, isUsable, refusal }: UpstreamStatus): boolean {
  const isSameState = before?.isPrimary === isPrimary && before.isOnOurChain === isOnOurChain && before.isUsable === isUsable
  return isSameState && before.head === head && before.refusal?.detail === refusal?.detail
}
