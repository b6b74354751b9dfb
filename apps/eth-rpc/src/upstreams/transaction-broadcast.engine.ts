import { setTimeout as delay } from 'node:timers/promises'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { unavailable } from '../framing/rpc-error.js'
import { consequenceOf, type ErrorMeaning } from './node-error.js'
import { transactionHash } from './transaction-hash.js'
import { Attempt, type Upstream, type UpstreamReply } from './upstream.engine.js'
import { UpstreamFault } from './upstream-fault.js'
import { isNull, knownMethod, requestBody, type Upstreams } from './upstream-request.js'

const SEND = knownMethod('eth_sendRawTransaction')
const LOOK_UP = knownMethod('eth_getTransactionByHash')
const MAX_TARGETS = 3
/** After the first refusal, the other nodes have so long to accept it all the same. */
const DOUBT_MS = 1_000
/** An accepted transaction is also to be known where pending nonces are asked for, if that does not take longer. */
const MAX_FIRST_MS = 500
/** As long as a transaction needs from node to node. */
const SPREAD_MS = 3_000
const MAX_BYTES = 1024 * 1024
/** As long as other calls wait. */
const MAX_PACE_MS = 2_000
const PACE_CHECK_MS = 20

/** A node does not accept the transaction. */
class Refused extends Error {
  constructor(readonly reply: UpstreamReply) {
    super()
  }
}

/** Sends one transaction: to several nodes at once, and never a second time. */
export class TransactionBroadcast {
  private readonly hash: string | undefined
  /** Those that have accepted it. */
  private readonly aware = new Set<Upstream>()

  constructor(
    private readonly upstreams: Upstreams,
    private readonly paramsJson: string,
    private readonly timeoutMs: number,
  ) {
    this.hash = transactionHash(JSON.parse(paramsJson)[0])
  }

  async send(): Promise<CallOutcome> {
    const targets = await this.awaitTargets()
    if (targets.length === 0) throw unavailable('no upstream can answer now')
    try {
      return await this.sendTo(targets)
    } catch (error) {
      return this.withoutAnswer((error as AggregateError).errors, targets)
    }
  }

  /** One with a budget is asked where none of the others has answered at all. */
  private async withoutAnswer(errors: readonly unknown[], targets: readonly Upstream[]): Promise<CallOutcome> {
    const next = errors.some((error) => error instanceof Refused) ? undefined : this.next(targets)
    if (!next?.config.budget) return this.refusedByAll(errors)
    return this.sendTo([next]).catch(({ errors: last }: AggregateError) => this.refusedByAll(last))
  }

  private async sendTo(targets: readonly Upstream[]): Promise<CallOutcome> {
    const body = requestBody({ method: SEND, paramsJson: this.paramsJson })
    const sent = targets.map(async (upstream) => {
      const outcome = accepted(await this.ask(upstream, body), this.hash)
      this.aware.add(upstream)
      upstream.unaware.delete(this)
      return outcome
    })
    const outcome = await Promise.race([Promise.any(sent), refusalOf(sent)])
    // The first is the one that is asked for pending nonces.
    await Promise.race([sent[0]?.catch(() => undefined), delay(MAX_FIRST_MS, undefined, { ref: false })])
    this.noteUnaware()
    return outcome
  }

  /** Until they have accepted it, or must have heard of it from the others. */
  private noteUnaware(): void {
    const unaware = this.upstreams.upstreams.filter((upstream) => !this.aware.has(upstream))
    if (unaware.length === 0) return
    const now = performance.now()
    for (const upstream of unaware) upstream.unaware.set(this, now)
    setTimeout(() => {
      for (const upstream of unaware) upstream.unaware.delete(this)
    }, SPREAD_MS).unref()
  }

  private ask(upstream: Upstream, body: string): Promise<UpstreamReply> {
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamReply>()
    const listener = {
      onReply: (_: Attempt, reply: UpstreamReply) => resolve(reply),
      onFailed: (_: Attempt, error: unknown) => reject(error),
    }
    upstream.send(body, new Attempt(upstream, listener, { timeoutMs: this.timeoutMs, maxBytes: MAX_BYTES }))
    return promise
  }

  /** Where all have had their calls, it waits for the next. */
  private async awaitTargets(): Promise<Upstream[]> {
    const end = performance.now() + MAX_PACE_MS
    let targets = this.targets()
    while (targets.length === 0 && this.upstreams.hasPaced && performance.now() < end) {
      await delay(PACE_CHECK_MS)
      targets = this.targets()
    }
    return targets
  }

  private targets(): Upstream[] {
    const targets: Upstream[] = []
    while (targets.length < MAX_TARGETS) {
      const upstream = this.next(targets)
      // What own nodes have taken they spread.
      if (!upstream || (upstream.config.budget && targets.some(({ config }) => !config.budget))) break
      targets.push(upstream)
    }
    return targets
  }

  private next(asked: readonly Upstream[]): Upstream | undefined {
    return this.upstreams.choose({ method: SEND, pending: true }, asked)
  }

  private async refusedByAll(errors: readonly unknown[]): Promise<CallOutcome> {
    const { hash } = this
    const replies = errors.filter((error) => error instanceof Refused).map(({ reply }) => reply)
    const reported = replies.filter(({ meaning }) => consequenceOf(meaning).isReported)
    const [best] = reported.sort((a, b) => worth(b.meaning) - worth(a.meaning))
    if (!best) throw unavailable('no upstream has taken the transaction, but it may have been sent', replies.length > 0 ? 503 : 504)
    // Its nonce is used: perhaps by the transaction itself, mined since.
    if (hash && replies.some(({ meaning }) => meaning === 'nonce-too-low') && (await this.isOnChain(hash))) return resultOf(hash)
    return best.outcome
  }

  private async isOnChain(hash: string): Promise<boolean> {
    try {
      const { member, json } = await this.upstreams.call({ method: LOOK_UP, paramsJson: JSON.stringify([hash]) })
      return member === 'result' && !isNull(json)
    } catch {
      // No node can be asked: what they replied stands.
      return false
    }
  }
}

/** Rejects with the first refusal that gives a reason, after the doubt; never where there is none. */
async function refusalOf(sent: readonly Promise<CallOutcome>[]): Promise<never> {
  const refused = (error: unknown) => (error instanceof Refused && worth(error.reply.meaning) > 0 ? error : Promise.reject(error))
  const first = await Promise.any(sent.map((each) => each.then(() => never, refused))).catch(() => never)
  await delay(DOUBT_MS)
  throw new AggregateError([first])
}

const never = new Promise<never>(() => {})

function accepted(reply: UpstreamReply, hash: string | undefined): CallOutcome {
  if (reply.outcome.member === 'result') return resultFor(reply.outcome, hash)
  if (reply.meaning === 'known-transaction' && hash) return resultOf(hash)
  throw new Refused(reply)
}

/** A node that answers with anything but its hash has not accepted it. */
function resultFor(outcome: CallOutcome, hash: string | undefined): CallOutcome {
  if (hash === undefined || outcome.json.toString().toLowerCase() === `"${hash}"`) return outcome
  throw new UpstreamFault('malformed', 'sent another hash')
}

/** How much the sender learns from a reason. */
function worth(meaning: ErrorMeaning): number {
  if (meaning === 'answer') return 2
  return meaning === 'nonce-too-low' || meaning === 'known-transaction' ? 1 : 0
}
