import { Injectable } from '@nestjs/common'
import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import { Logger } from '@trestle/runtime/logger'
import { overCallLimit } from '../call-limits/call-rules.js'
import { FiltersService } from '../filters/filters.service.js'
import { type CallOutcome, errorOf } from '../framing/outcome.js'
import type { JsonRpcCall } from '../framing/request.js'
import { RPC_CODE, RpcFailure, unforeseen } from '../framing/rpc-error.js'
import { LimitsService } from '../limits/limits.service.js'
import type { LimitRefusal } from '../limits/spending-ledger.js'
import { checkParamCount, methodNamed, type RpcMethod } from '../methods/method.js'
import { grantedMethod, refusedMethod } from '../methods/namespace-method.js'
import { checkCall } from '../projects/access.js'
import { quorumOfCall } from '../quorum/quorum-rule.js'
import { knownMethod } from '../upstreams/upstream-request.js'
import { AnswersService } from './answers.service.js'
import type { CallContext } from './call-context.js'

/** What a call came to. */
export interface CallResult {
  readonly outcome: CallOutcome
  /** Undefined: there is no such method. */
  readonly method?: RpcMethod
  /** How many nodes it asks, each of which costs as much; left out: one. */
  readonly nodes?: number
  /** The cause of an error of our own; it may have an HTTP status. */
  readonly failure?: RpcFailure
}

/** One call, from its name to its outcome: over HTTP, in a batch, over a WebSocket. */
@Injectable()
export class CallExecutionService {
  constructor(
    private readonly limits: LimitsService,
    private readonly answers: AnswersService,
    private readonly filters: FiltersService,
    private readonly logger: Logger,
  ) {}

  /** At once where no upstream is needed: such an answer costs no promise. Never throws, so that a call of a batch does not affect the others. */
  execute(call: JsonRpcCall, context: CallContext): CallResult | Promise<CallResult> {
    const method = methodNamed(call.method) ?? grantedMethod(call.method, context.project.namespaces)
    if (!method) return { outcome: errorOf(refusedMethod(call.method)) }
    const quorum = context.quorum && quorumOfCall(context.quorum, method, call.params)
    const nodes = quorum?.nodes
    try {
      this.admit(method, call.params, context, nodes)
      const outcome = this.perform(method, call.params, context, quorum)
      if (!(outcome instanceof Promise)) return { outcome, method, nodes }
      return outcome.then(
        (settled) => ({ outcome: settled, method, nodes }),
        (error) => this.failed(method, error, nodes),
      )
    } catch (error) {
      return this.failed(method, error, nodes)
    }
  }

  private failed(method: RpcMethod, error: unknown, nodes: number | undefined): CallResult {
    const failure = error instanceof RpcFailure ? error : unforeseen()
    if (failure !== error) this.logger.error({ err: error, method: method.name }, 'a call failed')
    return { outcome: errorOf(failure.error), method, nodes, failure }
  }

  private admit(method: RpcMethod, params: readonly unknown[], context: CallContext, nodes = 1): void {
    const { project } = context
    checkCall(project, method, params)
    const over = project.callLimits?.take({ method, params, address: () => context.address(), caller: () => context.caller() })
    if (over) throw overCallLimit(over)
    const refusal = this.limits.take(project, method.computeUnits * nodes)
    if (refusal) throw tooMuch(refusal)
  }

  private perform(
    method: RpcMethod,
    params: readonly unknown[],
    context: CallContext,
    quorum: QuorumSize | undefined,
  ): CallOutcome | Promise<CallOutcome> {
    checkParamCount(method, params)
    switch (method.answeredBy) {
      case 'filters':
        return this.performOnFilter(method, params, context)
      case 'subscriptions':
        return subscribe(method.name, params, context)
      default:
        return this.answers.answer(method, params, context, quorum)
    }
  }

  private async performOnFilter(method: RpcMethod, params: readonly unknown[], context: CallContext): Promise<CallOutcome> {
    if (method.name !== 'eth_getFilterLogs') return this.filters.perform(method.name, params, context.project)
    return this.answers.answer(GET_LOGS, [await this.filters.criteriaOf(params, context.project)], context)
  }
}

const GET_LOGS = knownMethod('eth_getLogs')

function subscribe(name: string, params: readonly unknown[], { subscriptions }: CallContext): CallOutcome | Promise<CallOutcome> {
  // The words of geth.
  if (!subscriptions && name === 'eth_unsubscribe') throw new RpcFailure({ code: RPC_CODE.server, message: 'subscription not found' })
  if (!subscriptions) throw new RpcFailure({ code: RPC_CODE.methodNotFound, message: 'notifications not supported' })
  return name === 'eth_subscribe' ? subscriptions.subscribe(params) : subscriptions.unsubscribe(params)
}

function tooMuch({ kind, retryAfterMs, limit, resetAt }: LimitRefusal): RpcFailure {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1000)
  const message = `more compute units than the project may use a ${kind}: ${limit}; try again in ${retryAfterSeconds} s, or raise the project's limit`
  const data = { limit, resetAt: new Date(resetAt).toISOString() }
  return new RpcFailure({ code: RPC_CODE.limit, message, data }, 429, { 'retry-after': String(retryAfterSeconds) })
}
