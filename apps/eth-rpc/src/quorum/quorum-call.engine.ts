import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import type { AbortListener } from '../call-signal.js'
import type { CallOutcome } from '../framing/outcome.js'
import { RPC_CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import { MAX_ANSWER_BYTES } from '../upstreams/upstream.client.js'
import { Attempt, type AttemptListener, type Upstream, type UpstreamReply } from '../upstreams/upstream.engine.js'
import { UpstreamFault } from '../upstreams/upstream-fault.js'
import type { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import { requestBody, type UpstreamRequest, verdictOf } from '../upstreams/upstream-request.js'
import { AnswerGroups } from './answer-groups.js'
import type { QuorumJudge } from './quorum-judge.engine.js'
import { QuorumTally, type QuorumVote } from './quorum-tally.js'

/** How long a call waits for nodes to have the block that it is about. */
const MAX_BLOCK_WAIT_MS = 2_000
const BLOCK_POLL_MS = 20
/** Others are asked in place of those that take longer. */
const SLOW_MS = 2_000
/** How long those may still take that have not answered when enough agree. */
const LATE_MS = 1_000

export type QuorumPool = Pick<UpstreamPool, 'choose' | 'hasOthers' | 'quorum' | 'metrics'>

interface QuorumTerms {
  readonly size: QuorumSize
  readonly timeoutMs: number
  readonly judge: Pick<QuorumJudge, 'judge'>
}

type QuorumOutcome = 'agreed' | 'disagreed' | 'unavailable' | 'abandoned'

/** An answer, and who gave it. */
interface Answer {
  readonly upstream: Upstream
  readonly outcome: CallOutcome
  /** It could not answer, where another one may. */
  readonly isInability: boolean
}

/** One call that several upstreams are asked at the same time. It settles as soon as enough agree; who answers later is compared still. */
export class QuorumCall implements AttemptListener, AbortListener {
  readonly outcome: Promise<CallOutcome>
  private resolve!: (outcome: CallOutcome) => void
  private reject!: (error: unknown) => void
  private readonly startedAt = performance.now()
  private readonly tally: QuorumTally<Answer>
  private readonly groups = new AnswerGroups()
  private readonly body: string
  private readonly asked: Upstream[] = []
  private readonly running: Attempt[] = []
  private readonly slow: NodeJS.Timeout
  private polling?: NodeJS.Timeout
  private isSettled = false
  private isLate = false
  /** Those that are slow have had their time, and nobody is left to ask in their place. */
  private isOverdue = false
  private agreed?: QuorumVote<Answer>

  constructor(
    private readonly pool: QuorumPool,
    private readonly request: UpstreamRequest,
    private readonly terms: QuorumTerms,
  ) {
    this.tally = new QuorumTally(terms.size)
    this.body = requestBody(request)
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.slow = setTimeout(() => this.askInPlaceOfSlow(), Math.min(SLOW_MS, terms.timeoutMs / 2))
    request.signal?.addEventListener('abort', this, { once: true })
    if (request.signal?.aborted) this.handleEvent()
    else this.fill()
  }

  /** The caller has left. */
  handleEvent(): void {
    this.fail(unavailable('nobody waits for the answer'), 'abandoned')
  }

  onReply(attempt: Attempt, reply: UpstreamReply): void {
    this.ended(attempt)
    const vote = this.voteOf(attempt.upstream, reply)
    if (this.isSettled) this.compare(vote)
    // One that cannot answer has a vote where nobody else can, either.
    else if (vote && !(vote.answer.isInability && this.askAnother())) this.tally.add(vote)
    this.fill()
  }

  onFailed(attempt: Attempt, error: unknown): void {
    this.ended(attempt)
    if (error instanceof UpstreamFault) this.isLate ||= error.kind === 'timeout'
    else this.fail(error, 'unavailable')
    this.fill()
  }

  /** Asks as many as are missing; where there are none now, some may have the block soon. */
  private fill(): void {
    clearTimeout(this.polling)
    this.polling = undefined
    if (this.isSettled) return
    const { size } = this.terms
    while (!this.isSettled && this.tally.votes.length + this.running.length < size.nodes && this.askAnother());
    const isShort = this.tally.votes.length + this.running.length < size.nodes
    if (isShort && this.elapsedMs < MAX_BLOCK_WAIT_MS && this.pool.hasOthers(this.request, this.asked))
      this.polling = setTimeout(() => this.fill(), BLOCK_POLL_MS)
    this.decide()
  }

  private get elapsedMs(): number {
    return performance.now() - this.startedAt
  }

  private askInPlaceOfSlow(): void {
    const missing = this.running.length
    for (let asked = 0; asked < missing && this.askAnother(); asked++);
    this.isOverdue = this.running.length === missing
    this.decide()
  }

  /** False where there is none that was not asked. */
  private askAnother(): boolean {
    const timeoutMs = Math.ceil(this.terms.timeoutMs - this.elapsedMs)
    const upstream = timeoutMs > 0 ? this.pool.choose(this.request, this.asked) : undefined
    if (!upstream || (this.isEnough && !upstream.health.admits(performance.now()))) return false
    const attempt = new Attempt(upstream, this, { timeoutMs, maxBytes: MAX_ANSWER_BYTES })
    this.asked.push(upstream)
    this.running.push(attempt)
    upstream.send(this.body, attempt)
    return true
  }

  /** Those that were asked can agree: one that has failed or lied lately is not asked besides. */
  private get isEnough(): boolean {
    return this.tally.canAgree(this.running.length)
  }

  private ended(attempt: Attempt): void {
    const index = this.running.indexOf(attempt)
    if (index !== -1) this.running.splice(index, 1)
  }

  /** Undefined of what is of no use. */
  private voteOf(upstream: Upstream, reply: UpstreamReply): QuorumVote<Answer> | undefined {
    const { request } = this
    const { outcome, meaning } = reply
    upstream.learn(request, meaning)
    const suspicion = outcome.member === 'result' ? request.check?.(outcome.json) : undefined
    if (suspicion) upstream.contradicted(suspicion)
    const verdict = suspicion === 'wrong' ? 'unusable' : verdictOf(request, reply)
    if (verdict === 'unusable') return undefined
    const isInability = verdict === 'own-error' || meaning === 'range-too-large'
    const key = isInability ? `unable: ${meaning}` : this.groups.keyOf(outcome)
    if (key === undefined) return undefined
    return { key, isDoubtful: suspicion !== undefined, answer: { upstream, outcome, isInability } }
  }

  private decide(): void {
    if (this.isSettled) return
    const isWaiting = this.polling !== undefined
    const more = isWaiting ? this.terms.size.nodes : this.running.length
    const mayGrow = more > 0 && !this.tally.isFull
    const needed = Math.min(this.terms.size.nodes, this.pool.quorum)
    const agreed = this.tally.agreed(mayGrow && !this.isOverdue, needed)
    if (agreed) this.succeed(agreed)
    else if (!mayGrow || !this.tally.canAgree(more)) this.giveUp()
  }

  private succeed(agreed: QuorumVote<Answer>): void {
    this.agreed = agreed
    this.settle('agreed')
    const { member, json } = agreed.answer.outcome
    // It is nobody's own: what one of them has answered elsewhere says nothing against it.
    this.resolve(agreed.isDoubtful ? { member, json, doubtful: true } : { member, json })
    for (const vote of this.tally.votes) this.compare(vote)
    if (this.running.length > 0) this.awaitLate(this.elapsedMs)
  }

  /** Who lies may be slow, too. */
  private awaitLate(agreedMs: number): void {
    const end = () => {
      for (const { upstream, startedAt } of this.running) upstream.outrun(startedAt, agreedMs)
      this.abortAll()
    }
    setTimeout(end, LATE_MS).unref()
  }

  private compare(vote: QuorumVote<Answer> | undefined): void {
    const { agreed } = this
    if (!vote || !agreed || vote.key === agreed.key || vote.isDoubtful || agreed.isDoubtful) return
    const { upstream, outcome } = vote.answer
    this.terms.judge.judge(this.request, { upstream, outcome, agreed: agreed.answer.outcome })
  }

  /** A search for logs may be split where a node refuses its range. */
  private giveUp(): void {
    const refused = this.tally.votes.find(({ key }) => key === 'unable: range-too-large')
    if (refused) {
      this.settle('disagreed')
      this.resolve(refused.answer.outcome)
      this.abortAll()
    } else this.fail(this.failure(), this.tally.votes.length < this.terms.size.agreeing ? 'unavailable' : 'disagreed')
  }

  private failure(): RpcFailure {
    const { agreeing: needed, nodes } = this.terms.size
    const [asked, answered, agreeing] = [this.asked.length, this.tally.votes.length, this.tally.agreeing]
    const data = { asked, answered, agreeing, needed }
    const isShort = asked < needed
    const message = isShort
      ? `${needed} of ${nodes} nodes must agree, and ${asked} can be asked now`
      : `${agreeing} of the ${asked} nodes that were asked agree, and ${needed} must`
    const isTimeout = !isShort && this.isLate
    const headers: Record<string, string> = isTimeout ? {} : { 'retry-after': '1' }
    return new RpcFailure({ code: RPC_CODE.unavailable, message, data }, isTimeout ? 504 : 503, headers)
  }

  private fail(error: unknown, outcome: QuorumOutcome): void {
    if (this.isSettled) return
    this.settle(outcome)
    this.reject(error)
    this.abortAll()
  }

  private abortAll(): void {
    for (const attempt of this.running.splice(0)) attempt.abort()
  }

  private settle(outcome: QuorumOutcome): void {
    this.isSettled = true
    this.pool.metrics.quorumCalls.inc({ outcome })
    clearTimeout(this.slow)
    clearTimeout(this.polling)
    this.request.signal?.removeEventListener('abort', this)
  }
}
