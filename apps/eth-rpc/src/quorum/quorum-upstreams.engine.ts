import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import type { CallOutcome } from '../framing/outcome.js'
import type { HeadFeed } from '../heads/head-feed.js'
import type { LogFilter, LogLimits } from '../upstreams/log-filter.js'
import { LogSearch } from '../upstreams/log-search.engine.js'
import type { UpstreamRequest } from '../upstreams/upstream-request.js'
import { QuorumCall, type QuorumPool } from './quorum-call.engine.js'
import { QuorumJudge } from './quorum-judge.engine.js'

/** The nodes behind the gateway, of which so many must agree. */
export class QuorumUpstreams {
  private readonly judge: QuorumJudge

  constructor(
    private readonly pool: QuorumPool,
    private readonly chain: HeadFeed['chain'],
    private readonly options: { readonly timeoutMs: number; readonly onLiar: (name: string) => void },
  ) {
    this.judge = new QuorumJudge(chain, options.onLiar)
  }

  of(size: QuorumSize) {
    const call = (request: UpstreamRequest): Promise<CallOutcome> => {
      const { timeoutMs = this.options.timeoutMs } = request
      return new QuorumCall(this.pool, request, { size, timeoutMs, judge: this.judge }).outcome
    }
    const logs = (filter: LogFilter, limits: LogLimits) => new LogSearch({ call }, this.chain, filter, limits).run()
    return { call, logs }
  }
}
