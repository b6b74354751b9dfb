import type { IncomingHttpHeaders } from 'node:http'
import { Injectable } from '@nestjs/common'
import { QUORUM_HEADER } from '@trestle/contracts/eth-rpc/quorum'
import { isEncoded, isJson } from '@trestle/gateway/media-type'
import type { GatewayRoute } from '@trestle/gateway/request.engine'
import { onAbandoned, type RequestContext, releaseOnceSent, sendCompressible } from '@trestle/gateway/request-context'
import { Problem } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import { CallAbort, type CallSignal } from '../call-signal.js'
import { answerTo, batchAnswer, lengthOf, type RpcAnswer } from '../framing/answer.js'
import { errorOf } from '../framing/outcome.js'
import { type CallRefusal, type FrameEntry, type Id, isRefusal, type JsonRpcCall, parseFrame } from '../framing/request.js'
import { RPC_CODE, RpcFailure, unavailable, unforeseen } from '../framing/rpc-error.js'
import type { LiveProject } from '../projects/live-project.js'
import { LiveProjects } from '../projects/live-projects.engine.js'
import { type QuorumRule, quorumByHeader } from '../quorum/quorum-rule.js'
import type { CallContext } from './call-context.js'
import { CallExecutionService, type CallResult } from './call-execution.service.js'
import { CallRecordsService } from './call-records.service.js'
import { corsHeaders } from './cors.js'

/** What is sent for a body. */
export interface RpcReply {
  readonly status: number
  /** Empty for notifications. */
  readonly answer: RpcAnswer
  readonly headers?: Readonly<Record<string, string>>
  /** The part of it whose memory may be given back then. */
  readonly releasable?: Buffer
}

type Sending = (reply: RpcReply) => void | Promise<void>

/** An answer, with the failure that gives it an HTTP status. */
interface Answered {
  readonly id: Id
  readonly answer: RpcAnswer
  readonly failure?: CallResult['failure']
  readonly releasable?: Buffer
}

const NOTHING: RpcReply = { status: 204, answer: [] }

const UNFORESEEN = unforeseen()
const FAILED: RpcReply = { status: UNFORESEEN.status, answer: answerTo('null', errorOf(UNFORESEEN.error)) }

// All answers of a batch together, as in geth.
const BATCH_BYTES = 32 * 1024 * 1024
/** Calls of one batch that are answered at the same time. */
const BATCH_CONCURRENCY = 100

/**
 * `POST /v1/<project>`: from the body of a request, or a message of a WebSocket, to its answer: one call, or a batch of them. Everything
 * that is answered is JSON-RPC, refusals too.
 */
@Injectable()
export class RpcService implements GatewayRoute<LiveProject> {
  readonly path = /^\/v1\/([0-9a-f]{32})$/

  constructor(
    readonly targets: LiveProjects,
    private readonly calls: CallExecutionService,
    private readonly records: CallRecordsService,
    private readonly logger: Logger,
  ) {}

  unknown(): RpcFailure {
    return new RpcFailure({ code: RPC_CODE.unauthorized, message: 'there is no such project' }, 404)
  }

  serve(project: LiveProject, context: RequestContext): void | Promise<void> {
    const { headers } = context.request
    project.key?.uses.note(context)
    checkBody(headers)
    const asked = headers[QUORUM_HEADER]
    const quorum = asked === undefined ? project.quorum : quorumByHeader(asked, project.quorum)
    return this.respond(context.body, new HttpCall(project, quorum, context), (reply) => sendReply(context, reply, project))
  }

  refuse(context: RequestContext, error: unknown, project?: LiveProject): void {
    const { reply, code } = this.refusal(error)
    if (project) this.records.refused(project, code)
    void this.deliver(reply, (sent) => sendReply(context, sent, project))
  }

  /** Sends one answer, at once where no upstream is needed. Never rejects: an unforeseen error is logged, and answered. */
  respond(body: Buffer | undefined, context: CallContext, send: Sending): void | Promise<void> {
    const reply = this.tryToAnswer(body, context)
    if (!(reply instanceof Promise)) return this.deliver(reply, send)
    return reply.then(
      (settled) => this.deliver(settled, send),
      (error) => this.deliver(this.failed(error), send),
    )
  }

  /** The answer to a request that was refused, or failed before its body was read. */
  private refusal(error: unknown): { reply: RpcReply; code: number } {
    const failure = failureOf(error)
    if (failure === undefined) this.logger.error({ err: error }, 'a request failed')
    const { error: rpcError, status, headers } = failure ?? UNFORESEEN
    return { reply: { status, answer: answerTo('null', errorOf(rpcError)), headers }, code: rpcError.code }
  }

  private tryToAnswer(body: Buffer | undefined, context: CallContext): RpcReply | Promise<RpcReply> {
    try {
      return this.answer(body, context)
    } catch (error) {
      return this.failed(error)
    }
  }

  private failed(error: unknown): RpcReply {
    this.logger.error({ err: error }, 'a request failed')
    return FAILED
  }

  private deliver(reply: RpcReply, send: Sending): void | Promise<void> {
    const onError = (error: unknown) => void this.failed(error)
    try {
      return send(reply)?.catch(onError)
    } catch (error) {
      onError(error)
    }
  }

  private answer(body: Buffer | undefined, context: CallContext): RpcReply | Promise<RpcReply> {
    const frame = parseFrame(body ?? EMPTY)
    if ('batch' in frame) return this.answerBatch(frame.batch, context)
    if ('refused' in frame) {
      this.records.unread(frame.refused, context)
      const answer = answerOf(frame.refused)
      return { status: 200, answer: frame.asBatch ? batchAnswer([answer]) : answer }
    }
    const answered = this.answerEntry(frame.single, context)
    return answered instanceof Promise ? answered.then(alone) : alone(answered)
  }

  private async answerBatch(entries: readonly FrameEntry[], context: CallContext): Promise<RpcReply> {
    const answered = await this.answerAll(entries, context)
    if (answered.length === 0) return NOTHING
    // Clients read the status first: it is 429 where every call was refused.
    const failure = answered.every(({ failure }) => failure?.status === 429) ? answered[0]?.failure : undefined
    return { status: failure?.status ?? 200, answer: batchAnswer(this.bounded(answered, context)), headers: failure?.headers }
  }

  /** Some at a time, and none once what was answered is too large. */
  private async answerAll(entries: readonly FrameEntry[], context: CallContext): Promise<Answered[]> {
    const answered: (Answered | undefined)[] = []
    let bytes = 0
    const remaining = entries.entries()
    const answerRemaining = async () => {
      for (const [index, entry] of remaining) {
        const each = bytes > BATCH_BYTES ? this.refuseAsTooLarge(entry, context) : await this.answerEntry(entry, context)
        answered[index] = each
        if (each) bytes += lengthOf(each.answer)
      }
    }
    await Promise.all(Array.from({ length: Math.min(BATCH_CONCURRENCY, entries.length) }, answerRemaining))
    return answered.filter((each) => each !== undefined)
  }

  private answerEntry(entry: FrameEntry, context: CallContext): Answered | undefined | Promise<Answered | undefined> {
    if (isRefusal(entry)) return this.refuseEntry(entry, context)
    const begun = performance.now()
    const done = this.calls.execute(entry, context)
    return done instanceof Promise
      ? done.then((settled) => this.recorded(entry, settled, context, begun))
      : this.recorded(entry, done, context, begun)
  }

  /** Nothing for a notification: JSON-RPC 2.0 section 4.1. */
  private recorded(call: JsonRpcCall, done: CallResult, context: CallContext, begun: number): Answered | undefined {
    const { id } = call
    const { outcome, failure } = done
    const answer = id === undefined ? NO_ANSWER : answerTo(id, outcome)
    this.records.add({ call, done, bytesOut: lengthOf(answer), ms: performance.now() - begun }, context)
    return id === undefined ? undefined : { id, answer, failure, releasable: outcome.releasable && outcome.json }
  }

  /** Nothing for a notification. */
  private refuseEntry(refusal: CallRefusal, context: CallContext): Answered | undefined {
    this.records.unread(refusal, context)
    return refusal.isUnanswered ? undefined : { id: refusal.id, answer: answerOf(refusal) }
  }

  private refuseAsTooLarge(entry: FrameEntry, context: CallContext): Answered | undefined {
    const { id = 'null' } = entry
    const isUnanswered = entry.id === undefined || (isRefusal(entry) && entry.isUnanswered)
    return this.refuseEntry({ id, error: TOO_LARGE, ...(isUnanswered && { isUnanswered: true }) }, context)
  }

  /** Answers beyond the bound are replaced by an error. */
  private bounded(answered: readonly Answered[], context: CallContext): RpcAnswer[] {
    let room = BATCH_BYTES
    return answered.map(({ id, answer }) => {
      room -= lengthOf(answer)
      if (room >= 0) return answer
      const refusal = { id, error: TOO_LARGE }
      this.records.unread(refusal, context)
      return answerOf(refusal)
    })
  }
}

function sendReply(context: RequestContext, reply: RpcReply, project?: LiveProject): void | Promise<void> {
  const { status, answer, headers, releasable } = reply
  if (releasable) releaseOnceSent(context, releasable)
  const cors = corsHeaders(context.request.headers.origin, project?.access.origins)
  const all = headers ? [...cors, ...Object.entries(headers).flat()] : cors
  return sendCompressible(context, { status, headers: all, type: 'application/json', body: answer })
}

function checkBody(headers: IncomingHttpHeaders): void {
  if (!isJson(headers['content-type']))
    throw wrongType('invalid content type, only application/json is supported: send the header Content-Type: application/json')
  if (isEncoded(headers)) throw wrongType('a body with a content encoding is not accepted: send it uncompressed')
}

function wrongType(message: string): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.invalidRequest, message }, 415)
}

class HttpCall implements CallContext {
  #abort?: CallAbort

  constructor(
    readonly project: LiveProject,
    readonly quorum: QuorumRule | undefined,
    private readonly context: RequestContext,
  ) {}

  get requestId(): string {
    const { headers } = this.context
    return headers[headers.indexOf('x-request-id') + 1] ?? ''
  }

  address(): string {
    return this.context.address()
  }

  caller(): string | undefined {
    return this.project.tokens?.callerOf(this.context.request)
  }

  get signal(): CallSignal {
    if (this.#abort) return this.#abort
    const abort = new CallAbort()
    this.#abort = abort
    onAbandoned(this.context, () => abort.abort(unavailable('the caller is gone')))
    return abort
  }
}

const EMPTY = Buffer.alloc(0)

const PROBLEM_CODES: Readonly<Record<number, number>> = {
  401: RPC_CODE.unauthorized,
  403: RPC_CODE.unauthorized,
  503: RPC_CODE.unavailable,
}

/** Undefined of an unforeseen error. */
function failureOf(error: unknown): RpcFailure | undefined {
  if (error instanceof RpcFailure) return error
  if (error instanceof Problem) {
    const { detail, status, headers } = error
    return new RpcFailure({ code: PROBLEM_CODES[status] ?? RPC_CODE.invalidRequest, message: detail }, status, headers)
  }
  // Fastify's.
  if (!(error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number')) return undefined
  return error.statusCode < 500 ? new RpcFailure({ code: RPC_CODE.invalidRequest, message: error.message }, error.statusCode) : undefined
}

function alone(answered: Answered | undefined): RpcReply {
  if (!answered) return NOTHING
  const { answer, failure, releasable } = answered
  return { status: failure?.status ?? 200, answer, headers: failure?.headers, releasable }
}

// The words of geth.
const TOO_LARGE = { code: -32003, message: 'response too large' }

const NO_ANSWER: RpcAnswer = []

function answerOf({ id, error }: CallRefusal): RpcAnswer {
  return answerTo(id, errorOf(error))
}
