import type { EvmNodeClient } from './evm-node.client.js'
import { type ChainBlock, type ChainChange, changeTo, type FollowedChain, isParent } from './followed-chain.js'

/** What is followed: a head, and the node that knows its ancestors. */
export interface FollowedUpstream {
  readonly name: string
  readonly head?: ChainBlock
  readonly node: Pick<EvmNodeClient, 'block' | 'blockAt'>
}

export interface FollowerOptions {
  readonly chain: FollowedChain
  /** Asked anew whenever it matters: another may be followed by then. */
  readonly lead: () => FollowedUpstream | undefined
  /** The chain has changed. */
  readonly onChange: (change: ChainChange) => void
  readonly onFailure: (followed: FollowedUpstream, error: unknown) => void
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

/** How long a head under ours, or one that is not reached, is waited for to become better. */
const PATIENCE_MS = 10_000
/** Longer gaps are not filled. */
const LONGEST_BRANCH = 128
const ASKED_AT_ONCE = 16

/** Leads our chain where the lead's goes: block by block, never past one that is not known. */
export class ChainFollower {
  private running = Promise.resolve()
  private isRunning = false
  private again = false
  /** Since when whom cannot be followed. */
  private stuck?: { readonly on: string; readonly since: number }

  constructor(private readonly options: FollowerOptions) {}

  /** Settles when there is nothing more to follow at the moment. */
  follow(): Promise<void> {
    this.again = true
    if (!this.isRunning) this.running = this.run()
    return this.running
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (this.again) {
      this.again = false
      const lead = this.options.lead()
      if (lead?.head) await this.step(lead, lead.head)
    }
    this.isRunning = false
  }

  private async step(lead: FollowedUpstream, head: ChainBlock): Promise<void> {
    try {
      const change = await this.next(lead, head)
      // Another lead's chain is another matter.
      if (!change || this.options.lead() !== lead) return
      this.stuck = undefined
      if (change.removed.length + change.added.length > 0) this.options.onChange(change)
    } catch (error) {
      this.options.onFailure(lead, error)
    }
  }

  private async next(lead: FollowedUpstream, head: ChainBlock): Promise<ChainChange | undefined> {
    const ours = this.options.chain.head
    if (!ours || head.number - ours.number > LONGEST_BRANCH) return this.startAt(lead, head)
    if (head.number < ours.number && this.isPatientWith(lead)) return undefined
    try {
      const change = await this.branchTo(lead, head)
      if (change) return change
    } catch (error) {
      if (this.isPatientWith(lead)) throw error
    }
    return this.startAt(lead, head)
  }

  private isPatientWith({ name }: FollowedUpstream): boolean {
    const now = this.options.now()
    if (this.stuck?.on !== name) this.stuck = { on: name, since: now }
    return now - this.stuck.since < PATIENCE_MS
  }

  /** Undefined when the chains have no block in common that one might reach. */
  private async branchTo({ node }: FollowedUpstream, head: ChainBlock): Promise<ChainChange | undefined> {
    const branch = [head]
    for (let oldest = head; branch.length <= LONGEST_BRANCH; branch.push(oldest)) {
      const change = changeTo(this.options.chain, branch)
      if (change || oldest.number === 0) return change
      const parent = await node.block(oldest.parentHash)
      if (!parent || !isParent(parent, oldest)) throw new Error(`The node does not know the parent of block ${oldest.number}.`)
      oldest = parent
    }
    return undefined
  }

  private async startAt(lead: FollowedUpstream, head: ChainBlock): Promise<ChainChange> {
    return { removed: [], added: [head], resetFrom: await this.ancestors(lead, head) }
  }

  /** As many as the node gives, oldest first. */
  private async ancestors({ node }: FollowedUpstream, head: ChainBlock): Promise<ChainBlock[]> {
    const ancestors: ChainBlock[] = []
    let child = head
    while (ancestors.length < LONGEST_BRANCH && child.number > 0) {
      const count = Math.min(ASKED_AT_ONCE, child.number)
      const numbers = Array.from({ length: count }, (_, index) => child.number - 1 - index)
      for (const block of await Promise.all(numbers.map((number) => node.blockAt(number)))) {
        // The chain may have moved between two questions.
        if (!block || !isParent(block, child)) return ancestors.reverse()
        ancestors.push(block)
        child = block
      }
    }
    return ancestors.reverse()
  }
}
