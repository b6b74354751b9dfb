import type { ChainPace } from './chain-pace.js'
import { type ChainBlock, type FollowedChain, isParent } from './followed-chain.js'
import { type ClaimVerdict, type HeadClaim, hashAtOf, isLinkedTo, judgeClaim, oldestOf, startingBlock } from './head-claim.js'
import type { HeadSource } from './head-source.engine.js'
import type { PrimaryCandidate } from './primary-upstream.js'

type Claimant = Pick<
  HeadSource,
  'name' | 'head' | 'candidate' | 'isHealthy' | 'isOfWrongChain' | 'standsAside' | 'node' | 'known' | 'learn'
>

interface ClaimsOptions {
  readonly sources: readonly Claimant[]
  readonly chain: FollowedChain
  readonly pace: ChainPace | undefined
  /** More is known of a claim. */
  readonly onChange: () => void
}

/** What was found out about the newest block of an upstream. */
interface Examination {
  readonly head: ChainBlock
  link: 'linked' | 'unlinked' | 'open'
  readonly backers: Set<string>
  isRunning: boolean
  /** Of the clock of `performance.now`. */
  endedAt: number
}

/** As far back as a head is traced to our chain. */
const MAX_LINK = 4_096
const MAX_CONCURRENT = 16
/** A node may not have had what it was asked for yet. */
const RETRY_MS = 1_000
const TIMEOUT_MS = 30_000
const MAX_OUTVOTED_MS = 2_000

/** Finds out which of the blocks that upstreams report count: fetches what lies between them and our chain, and asks the others for them. */
export class HeadClaims {
  private readonly examinations = new Map<string, Examination>()
  /** The newest number that counted, by upstream. */
  private readonly proven = new Map<string, number>()
  private readonly outvotedSince = new Map<string, number>()
  private verdicts = new Map<string, ClaimVerdict>()

  constructor(private readonly options: ClaimsOptions) {}

  /** Judges again, after something has changed. */
  refresh(): void {
    const claims = this.claims()
    const { chain, pace, sources } = this.options
    const size = sources.filter(({ isOfWrongChain, standsAside }) => !isOfWrongChain && !standsAside).length
    const context = { ours: chain.head, size, pace, now: Date.now() / 1000 }
    const voters = claims.filter((_, index) => !sources[index]?.standsAside)
    this.verdicts = new Map(claims.map((claim) => [claim.name, judgeClaim(claim, voters, context)]))
    for (const claim of claims) this.note(claim)
    for (const [index, claim] of claims.entries()) this.examine(sources[index], claim)
  }

  verdictOf(name: string): ClaimVerdict {
    return this.verdicts.get(name) ?? 'open'
  }

  isLinked(name: string): boolean {
    return this.claims().some((claim) => claim.name === name && claim.link === 'linked')
  }

  /** As candidates to become primary, with the number that is proven: not the one that is claimed. */
  candidates(primary?: string): PrimaryCandidate[] {
    const start = this.options.chain.head ? undefined : (this.start() ?? NO_START)
    return this.options.sources.map(({ candidate, standsAside }) => {
      const { name } = candidate
      const isHealthy = candidate.isHealthy && !standsAside
      if (start) return { ...candidate, head: start.block.number, isHealthy: isHealthy && start.backers.includes(name) }
      const verdict = this.verdictOf(name)
      const head = verdict === 'open' || verdict === 'unproven' ? (this.proven.get(name) ?? 0) : candidate.head
      return { ...candidate, head, isHealthy: isHealthy && this.isEligible(name, verdict, primary) }
    })
  }

  /** The block to start with, and the upstreams that have it. */
  start(): ReturnType<typeof startingBlock> {
    const claims = this.claims()
    return startingBlock(claims.filter((_, index) => !this.options.sources[index]?.standsAside))
  }

  /** The chain has started again: nothing is known to link to it. */
  forget(): void {
    this.examinations.clear()
  }

  /** It is no longer there. */
  forgetUpstream(name: string): void {
    this.examinations.delete(name)
    this.proven.delete(name)
    this.outvotedSince.delete(name)
  }

  private note({ name, head }: HeadClaim): void {
    const verdict = this.verdictOf(name)
    if (head && verdict === 'counts') this.proven.set(name, head.number)
    if (verdict !== 'outvoted') this.outvotedSince.delete(name)
    else if (!this.outvotedSince.has(name)) this.outvotedSince.set(name, performance.now())
  }

  /** The others may be a moment late to follow the primary upstream's branch. */
  private isEligible(name: string, verdict: ClaimVerdict, primary: string | undefined): boolean {
    if (verdict !== 'outvoted') return verdict !== 'unproven'
    return name === primary && performance.now() - (this.outvotedSince.get(name) ?? 0) < MAX_OUTVOTED_MS
  }

  private claims(): HeadClaim[] {
    return this.options.sources.map((source) => this.claimOf(source))
  }

  private claimOf({ name, head, isHealthy, known }: Claimant): HeadClaim {
    const { chain } = this.options
    const parentOf = ({ parentHash }: ChainBlock) => known.get(parentHash) ?? chain.byHash(parentHash)
    const examination = this.examinations.get(name)
    const isExamined = examination?.head.hash === head?.hash
    const isLinked = head !== undefined && oldestOf(head, chain, parentOf).isLinked
    return {
      name,
      head: isHealthy ? head : undefined,
      link: isLinked ? 'linked' : isExamined ? (examination?.link ?? 'open') : 'open',
      backers: isExamined && examination ? examination.backers : NOBODY,
      hashAt: (number) => hashAtOf(head, number, parentOf),
    }
  }

  private examine(source: Claimant | undefined, { head, link }: HeadClaim): void {
    if (!source || !head || link === 'linked') return
    const before = this.examinations.get(source.name)
    const isSame = before?.head.hash === head.hash
    if (isSame && (before.isRunning || performance.now() - before.endedAt < RETRY_MS)) return
    const examination: Examination = isSame ? before : { head, link: 'open', backers: new Set(), isRunning: true, endedAt: 0 }
    examination.isRunning = true
    this.examinations.set(source.name, examination)
    void this.find(source, examination).finally(() => {
      examination.isRunning = false
      examination.endedAt = performance.now()
      this.options.onChange()
    })
  }

  private async find(source: Claimant, examination: Examination): Promise<void> {
    const isLinked = this.options.chain.head !== undefined && (await this.trace(source, examination.head).catch(() => false))
    examination.link = isLinked ? 'linked' : 'unlinked'
    if (!isLinked) await this.askOthers(source, examination)
  }

  /** From block to parent until one is ours. */
  private async trace(source: Claimant, head: ChainBlock): Promise<boolean> {
    const { chain } = this.options
    const deadline = performance.now() + TIMEOUT_MS
    let { block } = oldestOf(head, chain, ({ parentHash }) => source.known.get(parentHash))
    for (let count = 1; !isLinkedTo(chain, block); count = Math.min(2 * count, MAX_CONCURRENT)) {
      // It has shown more than anybody would invent, and we cannot reach back further.
      if (head.number - block.number >= MAX_LINK) return true
      const parent = await this.ancestor(source, block, count)
      if (!parent || performance.now() > deadline) return false
      block = parent
    }
    return true
  }

  /** That far back, or the first that links to our chain; undefined where the upstream does not show all that lie between. */
  private async ancestor(source: Claimant, block: ChainBlock, depth: number): Promise<ChainBlock | undefined> {
    const numbers = Array.from({ length: Math.min(depth, block.number) }, (_, index) => block.number - 1 - index)
    let child = block
    for (const parent of await Promise.all(numbers.map((number) => source.node.blockAt(number)))) {
      if (isLinkedTo(this.options.chain, child)) break
      if (!parent || !isParent(parent, child)) return undefined
      source.learn(parent)
      child = parent
    }
    return child === block ? undefined : child
  }

  private async askOthers(source: Claimant, { head, backers }: Examination): Promise<void> {
    const others = this.options.sources.filter((other) => other !== source && other.isHealthy && (other.head?.number ?? 0) >= head.number)
    await Promise.all(
      others.map(async ({ name, node }) => {
        const block = await node.block(head.hash).catch(() => undefined)
        if (block?.hash === head.hash) backers.add(name)
      }),
    )
  }
}

const NOBODY: ReadonlySet<string> = new Set()
// Of a number that no upstream has.
const NO_START: { block: Pick<ChainBlock, 'number'>; backers: readonly string[] } = { block: { number: 0 }, backers: [] }
