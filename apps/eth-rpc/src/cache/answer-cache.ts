import { LRUCache } from 'lru-cache'
import type { CallOutcome } from '../framing/outcome.js'
import type { ChainChange, FollowedChain } from '../heads/followed-chain.js'
import { isFinal, type ResolvedCall } from './resolved-call.js'
import { retentionOf } from './retention.js'

export interface CacheLimits {
  /** Of all answers together. */
  readonly bytes: number
  /** The largest one kept. */
  readonly entryBytes: number
}

interface Entry {
  readonly outcome: CallOutcome
  readonly number: number
  /** How often the chain had lost blocks by then; undefined: that does not matter any more. */
  losses?: number
}

// What an entry takes beside its key and its bytes: objects, and its place in the lists.
const OVERHEAD = 640

/** Answers that are still true, one object a process. Nothing here waits, and nothing is asked twice. */
export class AnswerCache {
  private readonly entries: LRUCache<string, Entry>
  private losses = 0
  private highestFinal = -1

  constructor(
    private readonly limits: CacheLimits,
    private readonly chain: FollowedChain,
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
    if (entry.losses === undefined) return entry.outcome
    if (entry.losses !== this.losses) {
      this.entries.delete(question.key)
      return undefined
    }
    if (isFinal(entry.number, this.chain)) this.settle(entry)
    return entry.outcome
  }

  keep(question: ResolvedCall, outcome: CallOutcome): void {
    if (outcome.json.length > this.limits.entryBytes) return
    const lease = retentionOf(question, outcome, this.chain)
    if (!lease) return
    const entry: Entry = { outcome: { ...detached(outcome), cached: true }, number: lease.number, losses: this.losses }
    if (lease.final) this.settle(entry)
    this.entries.set(question.key, entry)
  }

  onChange({ removed, resetFrom }: ChainChange): void {
    const lowest = resetFrom ? 0 : removed.at(-1)?.number
    if (lowest !== undefined) this.forgetFrom(lowest)
  }

  /** Of what is not final all goes: blocks are lost rarely, and then nobody can say which node had already lost them when it answered. */
  forgetFrom(number: number): void {
    this.losses++
    if (number > this.highestFinal) return
    // A chain that goes back on what was final is one of a developer, who has set it back.
    this.entries.clear()
    this.highestFinal = -1
  }

  private settle(entry: Entry): void {
    entry.losses = undefined
    this.highestFinal = Math.max(this.highestFinal, entry.number)
  }
}

/** A few bytes of a large answer would hold all of it. */
function detached(outcome: CallOutcome): CallOutcome {
  const { json, member } = outcome
  if (json.buffer.byteLength <= json.length + OVERHEAD) return outcome
  const copy = Buffer.allocUnsafeSlow(json.length)
  json.copy(copy)
  return { member, json: copy }
}
