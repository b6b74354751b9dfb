import { Inject, Injectable } from '@nestjs/common'
import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import { versionOf } from '@trestle/runtime/package-version'
import { KeptAnswers, MAX_KEPT_BYTES } from '../cache/kept-answers.engine.js'
import { type NamedBlock, namedBlock } from '../cache/named-block.js'
import { isPending, type ResolvedCall, resolveCall } from '../cache/resolved-call.js'
import type { CallSignal } from '../call-signal.js'
import type { EthRpcEnv } from '../env.js'
import { type CallOutcome, MIN_RELEASED_BYTES } from '../framing/outcome.js'
import { unavailable } from '../framing/rpc-error.js'
import { HeadFeed } from '../heads/head-feed.js'
import { HeadWait } from '../heads/head-wait.engine.js'
import { servingOf, syncingOf } from '../heads/service-state.js'
import { type AnswerCheck, answerCheckOf } from '../integrity/answer-check.js'
import type { RpcMethod } from '../methods/method.js'
import { openRpcDocument } from '../methods/open-rpc.js'
import { answerOf, type OwnState } from '../methods/own-answers.js'
import { QuorumUpstreams } from '../quorum/quorum-upstreams.engine.js'
import { ENV } from '../settings.module.js'
import type { LogFilter } from '../upstreams/log-filter.js'
import { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import { isNull, knownMethod, type UpstreamRequest } from '../upstreams/upstream-request.js'
import type { CallContext } from './call-context.js'
import { Coalescer } from './coalescer.engine.js'
import { TransactionSync } from './transaction-sync.engine.js'

const SEND_AND_WAIT = knownMethod('eth_sendRawTransactionSync')
const RECEIPT = knownMethod('eth_getTransactionReceipt')
/** How many blocks' state a node that is no archive keeps. */
const STATE_BLOCKS = 128
/** How far beyond our head another replica may be. */
const MAX_AWAITED_BLOCKS = 16
const MAX_BLOCK_WAIT_MS = 1_000
const MAX_CATCH_UP_MS = 2_000

/** Answers about the chain: from the cache, or from an upstream. */
@Injectable()
export class AnswersService {
  private readonly coalescer: Coalescer
  private readonly sync: TransactionSync
  private readonly ownState: OwnState
  private readonly heads: HeadWait
  private readonly quorums: QuorumUpstreams

  constructor(
    private readonly feed: HeadFeed,
    private readonly upstreams: UpstreamPool,
    private readonly kept: KeptAnswers,
    @Inject(ENV) private readonly env: EthRpcEnv,
  ) {
    this.coalescer = new Coalescer(feed.chain)
    this.sync = new TransactionSync(feed, { broadcast: (paramsJson) => this.broadcast(paramsJson) }, env.CALL_TIMEOUT_MS)
    this.ownState = ownStateOf(feed, env)
    this.heads = new HeadWait(feed)
    const onLiar = (name: string) => kept.forgetAnswersOf(name)
    this.quorums = new QuorumUpstreams(upstreams, feed.chain, { timeoutMs: env.CALL_TIMEOUT_MS, onLiar })
    kept.checkedBy(this.quorums)
  }

  answer(method: RpcMethod, params: readonly unknown[], context: CallContext, quorum?: QuorumSize): CallOutcome | Promise<CallOutcome> {
    switch (method.answeredBy) {
      case 'gateway':
        return answerOf(method, params, this.ownState)
      case 'broadcast':
        return this.send(method, params, context)
      default:
        return this.feed.chain.head
          ? this.find(resolveCall({ method, params }, this.feed.chain), context, quorum)
          : this.answerOnceStarted(method, params, context, quorum)
    }
  }

  private send(method: RpcMethod, params: readonly unknown[], context: CallContext): Promise<CallOutcome> {
    if (method !== SEND_AND_WAIT) return this.broadcast(JSON.stringify(params))
    return this.sync.send(params, { receiptOf: (hash) => () => this.answer(RECEIPT, [hash], context), signal: context.signal })
  }

  /** Before there is a head, no tag has a number. */
  private async answerOnceStarted(
    method: RpcMethod,
    params: readonly unknown[],
    context: CallContext,
    quorum?: QuorumSize,
  ): Promise<CallOutcome> {
    if (!(await this.heads.reach({ number: 0 }, MAX_BLOCK_WAIT_MS, context.signal))) throw unavailable('no block is known yet')
    return this.find(resolveCall({ method, params }, this.feed.chain), context, quorum)
  }

  private async broadcast(paramsJson: string): Promise<CallOutcome> {
    const outcome = await this.upstreams.broadcast(paramsJson)
    // Who sent it is to find it: not in an answer from before.
    this.coalescer.forget()
    return outcome
  }

  private find(resolved: ResolvedCall, context: CallContext, quorum?: QuorumSize): CallOutcome | Promise<CallOutcome> {
    // What one node has answered is not what several agree on.
    const question = quorum ? { ...resolved, quorum, key: `${quorum.agreeing}/${quorum.nodes}|${resolved.key}` } : resolved
    return this.kept.find(question) ?? this.coalescer.share(question, (shared) => this.ask(question, quorum, shared), context.signal)
  }

  private async ask(question: ResolvedCall, quorum: QuorumSize | undefined, signal?: CallSignal): Promise<CallOutcome> {
    const { losses } = this.kept
    const stored = this.kept.findStored(question)
    const found = stored && (await stored)
    if (found) return found
    const awaited = this.blockToAwait(question)
    if (awaited !== undefined) await this.heads.reach({ number: awaited }, MAX_BLOCK_WAIT_MS, signal)
    const outcome = await this.askUpstreams(question, quorum, { signal, timeoutMs: this.env.CALL_TIMEOUT_MS })
    const named = this.foreignBlockIn(question, outcome)
    if (named !== undefined && !(await this.heads.reach(named, MAX_CATCH_UP_MS, signal)))
      throw unavailable('an upstream names a block that no other shows yet')
    this.kept.keep(question, outcome, losses)
    return !quorum && isReleasable(question, outcome) ? { ...outcome, releasable: true } : outcome
  }

  /** Another replica may have shown it to the caller; where it does not come, the answer is that of a node, or the error that there is no such block. */
  private blockToAwait({ block }: ResolvedCall): number | undefined {
    if (!block || !('number' in block)) return undefined
    const ahead = block.number - (this.feed.chain.head?.number ?? 0)
    return ahead > 0 && ahead <= MAX_AWAITED_BLOCKS ? block.number : undefined
  }

  /** One that an answer names and our chain lacks: who was told it is to read nothing older, and nothing of another branch. A pending block is none yet. */
  private foreignBlockIn({ method, block }: ResolvedCall, { member, json }: CallOutcome): NamedBlock | undefined {
    if (!method.namesBlock || member !== 'result' || (block && 'tag' in block)) return undefined
    const named = namedBlock(method, json)
    if (!named) return undefined
    // Who asks for a block by its hash, or for the logs of a range, may get some of another branch.
    const awaited = block && ('hash' in block || method.blockForm === 'criteria') ? { number: named.number } : named
    return this.heads.has(awaited) ? undefined : awaited
  }

  private askUpstreams(
    question: ResolvedCall,
    quorum: QuorumSize | undefined,
    options: { signal?: CallSignal; timeoutMs: number },
  ): Promise<CallOutcome> {
    const upstreams = quorum ? this.quorums.of(quorum) : this.upstreams
    const filter = logFilterOf(question)
    if (filter) return upstreams.logs(filter, { ...options, blocks: this.env.LOG_BLOCKS })
    const { method, paramsJson } = question
    const block = this.blockOf(question)
    const check = answerCheckOf(question, this.feed.chain)
    const pending = isPending(question)
    const request = { method, paramsJson, block, archive: this.isOld(method, block), check, pending, ...options }
    return upstreams.call(this.blockToAwait(question) === undefined ? request : { ...request, ...elsewhereIfNull(check) })
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
}

function ownStateOf(feed: HeadFeed, { DEPLOYMENT: deployment, CHAIN_ID: chainId, NETWORK_ID: networkId }: EthRpcEnv): OwnState {
  return {
    chainId,
    networkId,
    version: `Trestle/${VERSION}`,
    openRpc: openRpcDocument(deployment, VERSION),
    get chain() {
      return feed.chain
    },
    get peers() {
      return servingOf(feed.upstreams.values())
    },
    syncing: () => syncingOf(feed.upstreams.values()),
  }
}

const VERSION = versionOf(import.meta.url)

/** A search by range, which may be split; one with a tag that only a node knows goes to a node whole. */
function logFilterOf({ method, params, block }: ResolvedCall): LogFilter | undefined {
  if (method.blockForm !== 'criteria' || !block || 'tag' in block) return undefined
  const { fromBlock, toBlock, address, topics } = params[0] as Record<string, unknown>
  if ('hash' in block) return { blockHash: block.hash, address, topics }
  return { fromBlock: Number(fromBlock), toBlock: Number(toBlock), address, topics }
}

/** Whether neither the cache can have kept it nor anything else needs it once it is sent. */
function isReleasable({ cacheable }: ResolvedCall, { member, json }: CallOutcome): boolean {
  return json.length > MIN_RELEASED_BYTES && member === 'result' && (!cacheable || json.length > MAX_KEPT_BYTES)
}

/** Of a block that we do not have yet another node may know more. */
function elsewhereIfNull(check: AnswerCheck | undefined): Pick<UpstreamRequest, 'check' | 'isThorough'> {
  return { check: (json) => (isNull(json) ? 'doubtful' : check?.(json)), isThorough: true }
}
