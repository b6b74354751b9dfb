import { Inject, Injectable } from '@nestjs/common'
import { versionOf } from '@trestle/runtime/package-version'
import { AnswerCache } from '../cache/answer-cache.js'
import { Coalescer } from '../cache/coalescer.engine.js'
import { type ResolvedCall, resolveCall } from '../cache/resolved-call.js'
import type { CallSignal } from '../call-signal.js'
import type { EthRpcEnv } from '../env.js'
import type { CallOutcome } from '../framing/outcome.js'
import { HeadFeed } from '../heads/head-feed.js'
import type { RpcMethod } from '../methods/method.js'
import { answerOf, type OwnState } from '../methods/own-answers.js'
import { ENV } from '../settings.module.js'
import type { LogFilter } from '../upstreams/log-filter.js'
import { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import type { CallContext } from './call-context.js'
import { CallMetrics } from './call-metrics.engine.js'

/** A larger answer would push too many others out. */
const ENTRY_BYTES = 2 * 1024 * 1024
/** How many blocks' state a node that is no archive keeps. */
const STATE_BLOCKS = 128

/** Answers about the chain: from the cache, or from an upstream. */
@Injectable()
export class AnswersService {
  private readonly cache: AnswerCache
  private readonly coalescer: Coalescer

  constructor(
    private readonly feed: HeadFeed,
    private readonly upstreams: UpstreamPool,
    metrics: CallMetrics,
    @Inject(ENV) private readonly env: EthRpcEnv,
  ) {
    this.cache = new AnswerCache({ bytes: env.CACHE_MB * 1024 * 1024, entryBytes: ENTRY_BYTES }, feed.chain)
    this.coalescer = new Coalescer(feed.chain)
    feed.onChange((change) => this.cache.onChange(change))
    metrics.watch(this.cache)
  }

  answer(method: RpcMethod, params: readonly unknown[], context: CallContext): CallOutcome | Promise<CallOutcome> {
    switch (method.answeredBy) {
      case 'gateway':
        return answerOf(method, params, this.ownState)
      case 'broadcast':
        return this.upstreams.broadcast(JSON.stringify(params))
      default:
        return this.find(resolveCall({ method, params }, this.feed.chain), context)
    }
  }

  private find(question: ResolvedCall, context: CallContext): CallOutcome | Promise<CallOutcome> {
    return this.cache.find(question) ?? this.coalescer.share(question, (shared) => this.ask(question, shared), context.signal)
  }

  private async ask(question: ResolvedCall, signal?: CallSignal): Promise<CallOutcome> {
    const outcome = await this.askUpstreams(question, { signal, timeoutMs: this.env.CALL_TIMEOUT_MS })
    this.cache.keep(question, outcome)
    return outcome
  }

  private askUpstreams(question: ResolvedCall, options: { signal?: CallSignal; timeoutMs: number }): Promise<CallOutcome> {
    const filter = logFilterOf(question)
    if (filter) return this.upstreams.logs(filter, { ...options, blocks: this.env.LOG_BLOCKS })
    const { method, paramsJson } = question
    const block = this.blockOf(question)
    return this.upstreams.call({ method, paramsJson, block, archive: this.isOld(method, block), ...options })
  }

  /** The block that an upstream must have to answer. About one above our head the node knows best. */
  private blockOf({ method, block, at }: ResolvedCall): number | undefined {
    const head = this.feed.chain.head?.number ?? 0
    // A node that is behind does not know the newest transactions.
    if (method.cache === 'transaction') return head
    const number = block && 'number' in block ? block.number : at?.number
    return number !== undefined && number > head ? undefined : number
  }

  private isOld(method: RpcMethod, block: number | undefined): boolean {
    return method.readsState === true && block !== undefined && block < (this.feed.chain.head?.number ?? 0) - STATE_BLOCKS
  }

  private get ownState(): OwnState {
    const { CHAIN_ID: chainId, NETWORK_ID: networkId } = this.env
    return { chain: this.feed.chain, chainId, networkId, version: VERSION }
  }
}

const VERSION = `Trestle/${versionOf(import.meta.url)}`

/** A search by range, which may be split; one with a tag that only a node knows goes to a node whole. */
function logFilterOf({ method, params, block }: ResolvedCall): LogFilter | undefined {
  if (method.blockForm !== 'criteria' || !block || !('number' in block)) return undefined
  const { fromBlock, toBlock, address, topics } = params[0] as Record<string, unknown>
  return { fromBlock: Number(fromBlock), toBlock: Number(toBlock), address, topics }
}
