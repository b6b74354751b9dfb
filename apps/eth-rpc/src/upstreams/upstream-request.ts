import type { CallSignal } from '../call-signal.js'
import type { CallOutcome } from '../framing/outcome.js'
import type { AnswerCheck } from '../integrity/answer-check.js'
import type { Suspicion } from '../integrity/suspicion.js'
import { methodNamed, type RpcMethod } from '../methods/method.js'
import type { CacheClass } from '../methods/method-table.js'
import { SENT_ID } from './answer-scan.js'
import type { ReplyVerdict } from './call-policy.js'
import { consequenceOf, type ErrorMeaning } from './node-error.js'
import type { Upstream } from './upstream.engine.js'
import type { UpstreamNeeds } from './upstream-choice.js'

/** A call that an upstream is to answer. */
export interface UpstreamRequest {
  readonly method: RpcMethod
  readonly paramsJson: string
  /** The upstream must have this block. */
  readonly block?: number
  /** The first of several blocks that the call is about. */
  readonly fromBlock?: number
  /** Needs state that only an archive is sure to have. */
  readonly archive?: boolean
  /** About transactions that are not in a block yet. */
  readonly pending?: boolean
  /** Looks at a result before it is believed. */
  readonly check?: AnswerCheck
  /** A doubtful result is asked of all upstreams. */
  readonly isThorough?: true
  readonly timeoutMs?: number
  readonly signal?: CallSignal
}

/** The nodes, as a search or a broadcast uses them. */
export interface Upstreams {
  readonly upstreams: readonly Upstream[]
  /** Rejects with an RpcFailure where none can answer. */
  call(request: UpstreamRequest): Promise<CallOutcome>
  choose(needs: UpstreamNeeds, asked: readonly Upstream[]): Upstream | undefined
  /** Whether some could be asked, had they not had their calls. */
  readonly hasPaced: boolean
}

export function requestBody({ method, paramsJson }: UpstreamRequest): string {
  return `{"jsonrpc":"2.0","id":${SENT_ID},"method":"${method.name}","params":${paramsJson}}`
}

const NULL = Buffer.from('null')

export function isNull(json: Buffer): boolean {
  return json.length === NULL.length && json.equals(NULL)
}

/** What a reply is worth to the call it answers. */
export function verdictOf(
  request: UpstreamRequest,
  { outcome, meaning }: { readonly outcome: CallOutcome; readonly meaning: ErrorMeaning },
  suspicion?: Suspicion,
): ReplyVerdict {
  if (suspicion) return suspicion === 'wrong' ? 'unusable' : 'null'
  const { elsewhere, isReported } = consequenceOf(meaning)
  if (isSuspicious(request, outcome)) return request.method.mayBeNull ? 'null' : 'unusable'
  if (elsewhere) return isReported ? 'own-error' : 'unusable'
  return outcome.member === 'result' ? 'result' : 'final-error'
}

/** Null where there should be something: the block is there, or another node may know the transaction. */
function isSuspicious({ method, block }: UpstreamRequest, { member, json }: CallOutcome): boolean {
  if (member !== 'result' || !isNull(json)) return false
  // A state is never nothing, whatever block it is of.
  if (method.readsState && !method.mayBeNull) return true
  return method.cache === 'transaction' || (block !== undefined && OF_A_BLOCK.has(method.cache))
}

const OF_A_BLOCK = new Set<CacheClass>(['block', 'immutable', 'head'])

/** A method of the table that the gateway itself calls. */
export function knownMethod(name: string): RpcMethod {
  const method = methodNamed(name)
  if (!method) throw new Error(`the table of methods has no ${name}`)
  return method
}
