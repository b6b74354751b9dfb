import type { Block, ChainView } from './chain-view.js'
import type { UpstreamSight } from './head-feed.js'
import type { HeadSource } from './head-source.client.js'
import { isUsable } from './lead.js'

type Watched = Pick<HeadSource, 'name' | 'candidate' | 'head' | 'agreement' | 'node'>

export interface SightsOptions {
  readonly sources: readonly Watched[]
  readonly chain: ChainView
  readonly lead: () => Watched | undefined
  readonly maxLag: number
  readonly onChange: () => void
}

interface Verdict {
  readonly head: Block
  readonly ours: Block
  readonly agrees: boolean
}

/** What we know of each upstream, kept up to date; where its own blocks do not tell whether it is on our chain it is asked. */
export class UpstreamSights {
  readonly all = new Map<string, UpstreamSight>()
  private readonly verdicts = new Map<string, Verdict>()
  private readonly asked = new Set<string>()

  constructor(private readonly options: SightsOptions) {}

  /** Answers whether anything is other than before. */
  refresh(): boolean {
    let changed = false
    const { sources, maxLag } = this.options
    const lead = this.options.lead()
    const candidates = sources.map(({ candidate }) => candidate)
    for (const [index, candidate] of candidates.entries()) {
      const source = sources[index]
      if (!source) continue
      const { name, head } = candidate
      const sight = { name, head, leads: source === lead, agrees: this.agrees(source), usable: isUsable(candidate, candidates, maxLag) }
      if (isSame(this.all.get(name), sight)) continue
      this.all.set(name, sight)
      changed = true
    }
    return changed
  }

  private agrees(source: Watched): boolean {
    const agreement = source.agreement(this.options.chain)
    if (agreement !== 'unknown') return agreement === 'agrees'
    const { head } = source
    const ours = this.options.chain.head
    if (!head || !ours) return false
    const verdict = this.verdicts.get(source.name)
    if (verdict?.head.hash === head.hash && verdict.ours.hash === ours.hash) return verdict.agrees
    void this.ask(source, head, ours)
    return false
  }

  private async ask(source: Watched, head: Block, ours: Block): Promise<void> {
    if (this.asked.has(source.name)) return
    this.asked.add(source.name)
    try {
      const block = await source.node.blockAt(ours.number)
      this.verdicts.set(source.name, { head, ours, agrees: block?.hash === ours.hash })
    } catch {
      // Its next head, or ours, is reason to ask again.
      return
    } finally {
      this.asked.delete(source.name)
    }
    if (this.refresh()) this.options.onChange()
  }
}

function isSame(before: UpstreamSight | undefined, { head, leads, agrees, usable }: UpstreamSight): boolean {
  return before?.head === head && before.leads === leads && before.agrees === agrees && before.usable === usable
}
