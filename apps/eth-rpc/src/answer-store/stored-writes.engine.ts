import { isUtf8 } from 'node:buffer'
import { databaseProblem } from '@trestle/database/database-problem'
import type { AnswerCache } from '../cache/answer-cache.js'
import type { CallOutcome } from '../framing/outcome.js'
import { RpcFailure } from '../framing/rpc-error.js'
import type { AnswerSeal } from './answer-seal.js'
import type { AnswerStoreRepository, ChainAnchor } from './answer-store.repository.js'
import type { AnswerStoreHealth } from './answer-store-health.engine.js'
import type { ChainIdentityCheck } from './chain-identity.engine.js'
import { type HeldAnswer, HeldAnswers } from './held-answers.js'

/** A liar that a quorum has met is found out within that, and a chain that was replaced is noticed. */
const HOLD_MS = 10_000
const MAX_HELD = 20_000
const MAX_REMOVALS = 1_000
/** What is written at once, every second: a caller who reads a whole chain is not to keep Postgres busy. */
const MAX_BATCH = 256
const MAX_BATCH_BYTES = 512 * 1024
/** No batch is a larger part of the store. */
const MAX_PART = 1 / 16

/** A chain that is open, and what its answers are sealed with. */
export interface OpenChain {
  readonly id: string
  readonly seal: AnswerSeal
  /** What is stored is about this block, or below it. */
  anchor: ChainAnchor
}

interface WriteOptions {
  readonly repository: AnswerStoreRepository
  readonly cache: Pick<AnswerCache, 'finalAnswer'>
  readonly identity: Pick<ChainIdentityCheck, 'anchorFor'>
  readonly health: Pick<AnswerStoreHealth, 'written' | 'dropped'>
  readonly maxBytes: number
}

interface Due {
  readonly key: string
  readonly held: HeldAnswer
  readonly outcome: CallOutcome
  readonly number: number
}

/** Stores answers behind the callers' backs: in batches, within bounds, and those only that are believed for long enough. */
export class StoredWrites {
  private readonly held = new HeldAnswers(MAX_HELD)
  private readonly removals = new Set<string>()
  private readonly liars = new Set<string>()
  private readonly maxBatchBytes: number

  constructor(private readonly options: WriteOptions) {
    this.maxBatchBytes = Math.min(MAX_BATCH_BYTES, options.maxBytes * MAX_PART)
  }

  hold(key: string, held: HeldAnswer): void {
    if (!this.held.add(key, held)) this.drop('full')
  }

  remove(name: string): void {
    if (this.removals.size < MAX_REMOVALS) this.removals.add(name)
  }

  distrust(upstream: string): void {
    this.liars.add(upstream)
  }

  /** It was found to lie, and the store does not know yet. */
  isLiar(upstream: string): boolean {
    return this.liars.has(upstream)
  }

  /** None of what waits may be of this chain. */
  forget(): void {
    this.held.clear()
  }

  /** Before the chain is known to be the stored one: whom not to trust is known at once. */
  async report(): Promise<void> {
    for (const upstream of [...this.liars]) {
      await this.options.repository.distrust(upstream)
      this.liars.delete(upstream)
    }
    const removals = [...this.removals]
    if (removals.length > 0) await this.options.repository.remove(removals)
    for (const name of removals) this.removals.delete(name)
  }

  /** False where the chain is not the stored one any more. */
  async flush(open: OpenChain): Promise<boolean> {
    const batch = this.nextBatch()
    if (batch.length === 0 || !(await this.options.repository.makeRoom(this.options.maxBytes))) return true
    const reached = await this.raiseAnchor(open, batch)
    return !this.isCurrent(batch) || this.store(open, batch, reached)
  }

  private async store({ id, seal }: OpenChain, batch: readonly Due[], reached: number): Promise<boolean> {
    const { repository, health } = this.options
    const provable = batch.filter(({ number }) => number <= reached)
    const now = performance.now()
    const sealed = ({ held: { name, askedAt }, outcome }: Due) => ({ name, outcome, mac: seal.macOf(name, outcome), ageMs: now - askedAt })
    try {
      if (provable.length > 0 && !(await repository.add(id, provable.map(sealed)))) return false
      health.written.inc(provable.length)
      this.drop('unproven', batch.length - provable.length)
    } catch (error) {
      // It is written later.
      if (databaseProblem(error)) throw error
      this.drop('failed', provable.length)
      this.release(batch)
      throw error
    }
    this.release(batch)
    return true
  }

  /** Up to which block everything may be stored. */
  private async raiseAnchor(open: OpenChain, batch: readonly Due[]): Promise<number> {
    const { identity, repository } = this.options
    const highest = Math.max(...batch.map(({ number }) => number))
    const next = highest > open.anchor.number ? await identity.anchorFor(highest).catch(unlessUnavailable) : undefined
    if (next && this.isCurrent(batch)) {
      await repository.raiseAnchor(open.id, next)
      open.anchor = next
    }
    return open.anchor.number
  }

  /** The chain may have been replaced meanwhile: nothing waits any more. */
  private isCurrent(batch: readonly Due[]): boolean {
    return batch.every(({ key, held }) => this.held.has(key, held))
  }

  private release(batch: readonly Due[]): void {
    for (const { key, held } of batch) this.held.remove(key, held)
  }

  private nextBatch(): Due[] {
    const batch: Due[] = []
    let bytes = 0
    for (const [key, held] of this.held.due(performance.now() - HOLD_MS)) {
      const final = this.options.cache.finalAnswer(key)
      if (!final || !this.isFit(final.outcome.json)) {
        this.held.remove(key, held)
        continue
      }
      const { outcome, number } = final
      bytes += outcome.json.length
      if (batch.length === MAX_BATCH || bytes > this.maxBatchBytes) break
      batch.push({ key, held, outcome, number })
    }
    return batch
  }

  /** Postgres has no text with a zero, or of another encoding. */
  private isFit(json: Buffer): boolean {
    const isLarge = json.length > this.maxBatchBytes
    if (isLarge) this.drop('large')
    return !isLarge && isUtf8(json) && !json.includes(0)
  }

  private drop(reason: string, count = 1): void {
    if (count > 0) this.options.health.dropped.inc({ reason }, count)
  }
}

/** The nodes cannot tell now. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof RpcFailure)) throw error
}
