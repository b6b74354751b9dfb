import { Inject, Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'
import type { AnswerCache } from '../cache/answer-cache.js'
import type { ResolvedCall } from '../cache/resolved-call.js'
import type { EthRpcEnv } from '../env.js'
import type { CallOutcome } from '../framing/outcome.js'
import { RpcFailure } from '../framing/rpc-error.js'
import type { ChainChange } from '../heads/followed-chain.js'
import { HeadFeed } from '../heads/head-feed.js'
import { ENV } from '../settings.module.js'
import { AnswerSeal } from './answer-seal.js'
import { AnswerStoreRepository } from './answer-store.repository.js'
import { AnswerStoreHealth } from './answer-store-health.engine.js'
import { type AgreeingUpstreams, ChainIdentityCheck } from './chain-identity.engine.js'
import { StoredReads } from './stored-reads.engine.js'
import { type OpenChain, StoredWrites } from './stored-writes.engine.js'

/** Of blocks so new hardly anything is stored, and most is asked. */
const NEWEST_BLOCKS = 16
/** Calls that name no block, such as for a receipt that is waited for, are not looked for again so soon. */
const MISSED_MS = 60_000
const MAX_MISSED = 10_000
/** Between two attempts to find out whether the chain is the stored one. */
const OPEN_MS = 5_000
const SIZE_MS = 30_000

type StoreEnv = Pick<EthRpcEnv, 'ANSWER_STORE_MB' | 'CHAIN_ID' | 'NATS_NKEY_SEED'>

/** What there is unless the store is off. */
interface Parts {
  readonly writes: StoredWrites
  readonly identity: ChainIdentityCheck
}

/**
 * Answers about final blocks that outlive the process, and that all processes of the deployment share. Whatever is wrong with it, calls go
 * on as without it.
 */
@Injectable()
export class AnswerStore {
  /** While what is stored is known to be of our chain. */
  private open?: OpenChain
  private parts?: Parts
  private readonly reads: StoredReads
  private readonly missed = new LRUCache<string, true>({ max: MAX_MISSED, ttl: MISSED_MS })
  private highestFinal = -1
  private openAt = 0
  private sizeAt = 0

  constructor(
    private readonly repository: AnswerStoreRepository,
    private readonly feed: HeadFeed,
    private readonly health: AnswerStoreHealth,
    @Inject(ENV) private readonly env: StoreEnv,
  ) {
    this.reads = new StoredReads(repository, health)
  }

  /** From here on it is used; never where it is off. */
  start(cache: Pick<AnswerCache, 'finalAnswer'>, upstreams: AgreeingUpstreams): void {
    const { repository, feed, health, env } = this
    if (env.ANSWER_STORE_MB === 0) return
    const identity = new ChainIdentityCheck({ chainId: env.CHAIN_ID, feed, upstreams, repository })
    const maxBytes = env.ANSWER_STORE_MB * 1024 * 1024
    this.parts = { identity, writes: new StoredWrites({ repository, cache, identity, health, maxBytes }) }
  }

  /** Whether it is worth looking. */
  mayHave(question: ResolvedCall): boolean {
    if (!this.open) return false
    const isWorthwhile = question.final ? this.isOld(question) : question.sureTo !== undefined && !this.missed.has(question.key)
    return isWorthwhile && !this.health.isPaused
  }

  private isOld({ block, at }: ResolvedCall): boolean {
    const number = block && 'number' in block ? block.number : at?.number
    return number !== undefined && number <= (this.feed.chain.head?.number ?? 0) - NEWEST_BLOCKS
  }

  /** Undefined where there is none, or none that is genuine. Never rejects. */
  async find(question: ResolvedCall): Promise<CallOutcome | undefined> {
    const { open } = this
    if (!open) return undefined
    const name = open.seal.nameOf(question)
    const found = await this.reads.find(name)
    const isKnown = typeof found !== 'string'
    this.health.reads.inc({ outcome: isKnown ? (found ? 'hit' : 'miss') : found })
    if (!isKnown) return undefined
    if (!found && !question.final) this.missed.set(question.key, true)
    // The chain may have been replaced meanwhile.
    if (!found || this.open !== open) return undefined
    const { outcome, mac } = found
    if (!open.seal.macOf(name, outcome).equals(mac)) return this.drop(name, 'corrupt')
    if (outcome.by?.some((upstream) => this.parts?.writes.isLiar(upstream))) return this.drop(name, 'distrusted')
    return outcome
  }

  /** What was found is not about our chain, or not what was asked for. */
  refuse(question: ResolvedCall): void {
    if (this.open) this.drop(this.open.seal.nameOf(question), 'contradicted')
  }

  /** An answer that the cache keeps, and that is final. */
  offer(question: ResolvedCall, askedAt: number): void {
    if (this.open) this.parts?.writes.hold(question.key, { name: this.open.seal.nameOf(question), askedAt })
  }

  now(): number {
    return performance.now()
  }

  /** Nothing that it has answered is to be trusted. */
  distrust(upstream: string): void {
    this.parts?.writes.distrust(upstream)
  }

  onChange({ removed, resetFrom }: ChainChange): void {
    const lowest = resetFrom ? 0 : removed.at(-1)?.number
    // The chain was set back below what was final, or is another one.
    if (lowest !== undefined && lowest <= this.highestFinal) this.close()
  }

  /** Every second. */
  async work(): Promise<void> {
    const { parts, health } = this
    if (!parts || health.isPaused) return
    this.highestFinal = Math.max(this.highestFinal, this.feed.chain.finalized ?? -1)
    try {
      await parts.writes.report()
      if (!this.open) await this.tryToOpen(parts.identity)
      if (this.open && !(await parts.writes.flush(this.open))) this.close()
      if (this.open) await this.measure()
      health.succeeded()
    } catch (error) {
      health.troubled('failed', error)
    }
  }

  private async tryToOpen(identity: ChainIdentityCheck): Promise<void> {
    const { chain } = this.feed
    const now = performance.now()
    if (!chain.head || chain.finalized === undefined || now < this.openAt) return
    this.openAt = now + OPEN_MS
    const { highestFinal } = this
    const stored = await identity.find().catch(unlessNodesCannotTell)
    // It may have been replaced meanwhile.
    if (!stored || highestFinal !== this.highestFinal) return
    const { id, anchor } = stored
    this.open = { id, anchor, seal: new AnswerSeal(this.env.NATS_NKEY_SEED ?? '', stored) }
    this.health.open.set(1)
  }

  private close(): void {
    this.open = undefined
    this.openAt = 0
    this.highestFinal = -1
    this.parts?.writes.forget()
    this.parts?.identity.forget()
    this.health.open.set(0)
  }

  private drop(name: string, reason: string): undefined {
    this.health.dropped.inc({ reason })
    this.parts?.writes.remove(name)
  }

  private async measure(): Promise<void> {
    if (performance.now() < this.sizeAt) return
    this.sizeAt = performance.now() + SIZE_MS
    this.health.bytes.set(await this.repository.size())
  }
}

function unlessNodesCannotTell(error: unknown): undefined {
  if (!(error instanceof RpcFailure)) throw error
}
