import { LRUCache } from 'lru-cache'
import type { CallOutcome } from '../framing/outcome.js'
import type { ChainChange, FollowedChain } from '../heads/followed-chain.js'
import { isFinalizedNumber, type ResolvedCall } from './resolved-call.js'
import { retentionOf } from './retention.js'

interface CacheLimits {
  /** Of all answers together. */
  readonly bytes: number
  /** The largest one kept. */
  readonly entryBytes: number
}

/** Learns of answers that will stay true, once each. */
interface FinalAnswers {
  now(): number
  offer(question: ResolvedCall, askedAt: number): void
}

interface Entry {
  readonly outcome: CallOutcome
  readonly number: number
  readonly askedAt: number
  /** How often the chain had lost blocks when it was kept; undefined once that does not matter. */
  losses?: number
  /** How many upstreams had been found out when it was last held against them. */
  liars: number
}

// The memory of an entry beside its key and its bytes.
const OVERHEAD = 640

/** Answers that are still true, in the memory of one process. */
export class AnswerCache {
  private readonly entries: LRUCache<string, Entry>
  /** How often the chain has lost blocks. */
  losses = 0
  /** The upstreams that were found out, in that order: what they had answered before is not believed. */
  private readonly foundOut = new Map<string, number>()
  private liars = 0
  private highestFinal = -1

  constructor(
    private readonly limits: CacheLimits,
    private readonly chain: FollowedChain,
    private readonly finals?: FinalAnswers,
  ) {
    this.entries = new LRUCache<string, Entry>({
      maxSize: limits.bytes,
      maxEntrySize: limits.entryBytes + OVERHEAD,
      sizeCalculation: ({ outcome }, key) => outcome.json.length + key.length + OVERHEAD,
    })
  }

  get count(): number {
    return this.entries.size
  }

  get bytes(): number {
    return this.entries.calculatedSize
  }

  find(question: ResolvedCall): CallOutcome | undefined {
    if (!question.cacheable) return undefined
    const entry = this.entries.get(question.key)
    if (!entry) return undefined
    if (entry.liars !== this.liars && this.isOfLiar(entry)) return this.forget(question)
    if (entry.losses === undefined) return entry.outcome
    if (entry.losses !== this.losses) return this.forget(question)
    if (isFinalizedNumber(entry.number, this.chain)) this.becomeFinal(question, entry)
    return entry.outcome
  }

  keep(question: ResolvedCall, outcome: CallOutcome): void {
    const entry = this.entryOf(question, outcome)
    if (!entry) return
    this.entries.set(question.key, entry)
    if (entry.losses === undefined) this.finals?.offer(question, entry.askedAt)
  }

  /** One that was stored; undefined where it is not about our chain. */
  restore(question: ResolvedCall, outcome: CallOutcome): CallOutcome | undefined {
    const entry = this.entryOf(question, outcome)
    if (entry) this.entries.set(question.key, entry)
    return entry?.outcome
  }

  /** What is kept under this key, where it is final and still believed. */
  finalAnswer(key: string): Pick<Entry, 'outcome' | 'number'> | undefined {
    const entry = this.entries.peek(key)
    if (!entry || entry.losses !== undefined) return undefined
    return entry.liars !== this.liars && this.isOfLiar(entry) ? undefined : entry
  }

  onChange({ removed, resetFrom }: ChainChange): void {
    const lowest = resetFrom ? 0 : removed.at(-1)?.number
    if (lowest !== undefined) this.forgetFrom(lowest)
  }

  /** Drops all that is not final: blocks are lost rarely, and it is unknown which node had lost them already when it answered. */
  forgetFrom(number: number): void {
    this.losses++
    if (number > this.highestFinal) return
    // Only a developer sets a chain back below what was final.
    this.entries.clear()
    this.highestFinal = -1
  }

  /** Drops what this upstream has answered. */
  forgetAnswersOf(upstream: string): void {
    this.foundOut.set(upstream, ++this.liars)
  }

  /** Undefined of what may not be kept. */
  private entryOf(question: ResolvedCall, outcome: CallOutcome): Entry | undefined {
    if (outcome.doubtful || outcome.json.length > this.limits.entryBytes) return undefined
    const retention = retentionOf(question, outcome, this.chain)
    if (!retention) return undefined
    const { losses, liars } = this
    const askedAt = this.finals?.now() ?? 0
    const entry: Entry = { outcome: { ...detached(outcome), cached: true }, number: retention.number, askedAt, losses, liars }
    if (retention.final) this.settle(entry)
    return entry
  }

  private isOfLiar(entry: Entry): boolean {
    const isOfLiar = entry.outcome.by?.some((name) => (this.foundOut.get(name) ?? 0) > entry.liars) ?? false
    if (!isOfLiar) entry.liars = this.liars
    return isOfLiar
  }

  private forget({ key }: ResolvedCall): undefined {
    this.entries.delete(key)
  }

  private becomeFinal(question: ResolvedCall, entry: Entry): void {
    this.settle(entry)
    this.finals?.offer(question, entry.askedAt)
  }

  private settle(entry: Entry): void {
    entry.losses = undefined
    this.highestFinal = Math.max(this.highestFinal, entry.number)
  }
}

/** A slice of a large buffer would keep all of it in memory. */
function detached(outcome: CallOutcome): CallOutcome {
  const { json, member, by } = outcome
  if (json.buffer.byteLength <= json.length + OVERHEAD) return outcome
  const copy = Buffer.allocUnsafeSlow(json.length)
  json.copy(copy)
  return { member, json: copy, by }
}
