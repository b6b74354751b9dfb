import { Inject, Injectable } from '@nestjs/common'
import { AnswerStore } from '../answer-store/answer-store.engine.js'
import type { AgreeingUpstreams } from '../answer-store/chain-identity.engine.js'
import type { EthRpcEnv } from '../env.js'
import type { CallOutcome } from '../framing/outcome.js'
import { CallMetrics } from '../gateway/call-metrics.engine.js'
import { HeadFeed } from '../heads/head-feed.js'
import { answerCheckOf } from '../integrity/answer-check.js'
import { ENV } from '../settings.module.js'
import { AnswerCache } from './answer-cache.js'
import type { ResolvedCall } from './resolved-call.js'

/** A larger answer would push too many others out. */
export const MAX_KEPT_BYTES = 2 * 1024 * 1024

/** Answers that are still true: in the memory of this process, and, where they are final, in the store of all. */
@Injectable()
export class KeptAnswers {
  private readonly cache: AnswerCache

  constructor(
    private readonly feed: HeadFeed,
    private readonly store: AnswerStore,
    metrics: CallMetrics,
    @Inject(ENV) { CACHE_MB: cacheMb }: Pick<EthRpcEnv, 'CACHE_MB'>,
  ) {
    this.cache = new AnswerCache({ bytes: cacheMb * 1024 * 1024, entryBytes: MAX_KEPT_BYTES }, feed.chain, store)
    metrics.watch(this.cache)
    feed.onChange((change) => {
      this.cache.onChange(change)
      store.onChange(change)
    })
  }

  /** By most of these the store finds out whether its answers are of our chain. */
  checkedBy(upstreams: AgreeingUpstreams): void {
    this.store.start(this.cache, upstreams)
  }

  /** How often the chain has lost blocks: what was asked before is not kept after. */
  get losses(): number {
    return this.cache.losses
  }

  find(question: ResolvedCall): CallOutcome | undefined {
    return this.cache.find(question)
  }

  /** Undefined where there is none; at once where it is not worth looking. */
  findStored(question: ResolvedCall): Promise<CallOutcome | undefined> | undefined {
    return this.store.mayHave(question) ? this.checkedOf(question) : undefined
  }

  /** `losses`: as it was when it was asked. Old final blocks, too, may be of another chain by now. */
  keep(question: ResolvedCall, outcome: CallOutcome, losses: number): void {
    if (losses === this.cache.losses) this.cache.keep(question, outcome)
  }

  /** What this upstream has answered. */
  forgetAnswersOf(upstream: string): void {
    this.cache.forgetAnswersOf(upstream)
    this.store.distrust(upstream)
  }

  /** What is stored is held against what was asked and against our chain, as is what a node answers. */
  private async checkedOf(question: ResolvedCall): Promise<CallOutcome | undefined> {
    const outcome = await this.store.find(question)
    if (!outcome) return undefined
    const isSuspicious = outcome.member === 'result' && answerCheckOf(question, this.feed.chain)?.(outcome.json) !== undefined
    const restored = isSuspicious ? undefined : this.cache.restore(question, outcome)
    if (!restored) this.store.refuse(question)
    return restored
  }
}
