import { namedBlock } from '../cache/named-block.js'
import type { CallOutcome } from '../framing/outcome.js'
import type { FollowedChain } from '../heads/followed-chain.js'
import type { Upstream } from '../upstreams/upstream.engine.js'
import { isNull, type UpstreamRequest } from '../upstreams/upstream-request.js'
import { isFact } from './quorum-methods.js'

/** After so long our chain has heard of a reorganization by which two nodes may have answered otherwise, and both rightly. */
const REORG_MS = 3_000
/** Differences that wait for that: one is enough to find out who lies. */
const MAX_WAITING = 1_000

/** What one upstream has answered, and enough others otherwise. */
interface Difference {
  readonly upstream: Upstream
  readonly outcome: CallOutcome
  readonly agreed: CallOutcome
}

type JudgedRequest = Pick<UpstreamRequest, 'method' | 'block'>

/** Finds the upstreams that have answered wrongly, where a quorum has answered otherwise. */
export class QuorumJudge {
  private waiting = 0

  constructor(
    private readonly chain: Pick<FollowedChain, 'at'>,
    /** Nothing that it has answered is to be trusted. */
    private readonly onLiar: (name: string) => void,
  ) {}

  /** An error or null may be a matter of settings, so it is held against nobody. */
  judge(request: JudgedRequest, { upstream, outcome, agreed }: Difference): void {
    if (!isClaim(outcome) || !isClaim(agreed) || this.waiting >= MAX_WAITING) return
    const number = blockNumberOf(request, agreed)
    if (number !== undefined) this.judgeLater(upstream, { number, isLie: isFact(request.method.name) })
  }

  /** Keeps nothing of the call until then: it may be large. */
  private judgeLater(upstream: Upstream, { number, isLie }: { readonly number: number; readonly isLie: boolean }): void {
    // Undefined of one that is too old to be known.
    const block = this.chain.at(number)
    this.waiting++
    setTimeout(() => {
      this.waiting--
      if (this.chain.at(number) === block) this.condemn(upstream, isLie)
    }, REORG_MS).unref()
  }

  private condemn(upstream: Upstream, isLie: boolean): void {
    upstream.outvoted(isLie)
    if (isLie) this.onLiar(upstream.config.name)
  }
}

function isClaim({ member, json }: CallOutcome): boolean {
  return member === 'result' && !isNull(json)
}

/** Of the block that the answers are about; undefined where an upstream may not have had it yet. */
function blockNumberOf({ method, block }: JudgedRequest, agreed: CallOutcome): number | undefined {
  if (method.cache !== 'transaction' || block === undefined) return block
  const named = namedBlock(method, agreed.json)
  return named && named.number <= block ? named.number : undefined
}
