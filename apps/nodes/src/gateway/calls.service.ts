import { Injectable } from '@nestjs/common'
import { databaseProblem } from '@trestle/database/database-problem'
import { isEncoded, isJson } from '@trestle/gateway/media-type'
import { answerWithProblem } from '@trestle/gateway/problem-answer'
import type { GatewayRoute } from '@trestle/gateway/request.engine'
import { onAbandoned, type RequestContext, sendAnswer } from '@trestle/gateway/request-context'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import { countCalls } from '../usage/workload-usage.js'
import { CallBounds } from './call-bounds.js'
import { ClusterCallsService, memberToCall, type WorkloadRequest } from './cluster-calls.service.js'
import { LiveWorkloads, type ServedWorkload } from './live-workloads.engine.js'
import type { MachineReply } from './machine.client.js'
import { MachineFault, problemOfFault } from './machine-fault.js'
import { isRestPath } from './rest-path.js'
import {
  type AllowedCall,
  allowedPart,
  type CallError,
  checkFrame,
  errorStatus,
  errorText,
  type Frame,
  isCall,
  isRefused,
  joinedAnswers,
} from './rpc-frame.js'

/** The calls that are sent on, and whether to read the whole answer. */
interface Sent {
  readonly calls: readonly AllowedCall[]
  readonly body: Buffer
  readonly isWhole?: boolean
}

/** `/rpc/<id>` and `/rpc/<id>/rest/...`. Bounds the calls under way: of one workload too, so that there is room for the others. */
@Injectable()
export class CallsService implements GatewayRoute<ServedWorkload> {
  readonly path = /^\/rpc\/([a-z]+-[0-9a-f-]{36})$/
  readonly #underWay = new Map<string, number>()
  #all = 0

  constructor(
    readonly targets: LiveWorkloads,
    private readonly clusters: ClusterCallsService,
    private readonly bounds: CallBounds,
    private readonly logger: Logger,
  ) {}

  unknown(): Problem {
    return new Problem('unknown', 'UnknownNode', 'There is no such node or cluster.')
  }

  /** Settles with the end of the answer; rejects with a Problem. `path` is what follows the id. */
  async serve(workload: ServedWorkload, context: RequestContext, path: string): Promise<void> {
    if (workload.desiredState === 'stopped')
      throw new Problem('unavailable', 'Stopped', `The ${workload.kind} is stopped: start it to call it.`)
    this.enter(workload.id)
    try {
      await (path === '' ? this.serveRpc(workload, context) : this.serveRest(workload, path, context))
    } finally {
      this.leave(workload.id)
    }
  }

  refuse(context: RequestContext, error: unknown): void {
    answerWithProblem(context, this.problemOf(error))
  }

  /** What a caller is answered instead; an unforeseen error is logged. */
  private problemOf(error: unknown): Problem {
    const known = error instanceof Problem ? error : databaseProblem(error)
    if (known) return known
    this.logger.error({ err: error }, 'a request failed')
    return new Problem('internal', 'InternalError', 'Something went wrong on our side.')
  }

  /** JSON-RPC: a call, or a batch of which each call is checked. */
  private async serveRpc(workload: ServedWorkload, context: RequestContext): Promise<void> {
    checkHead(workload, context)
    const { body = EMPTY } = context
    const frame = checkFrame(body, workload)
    if ('code' in frame) return refuseFrame(workload, context, frame)
    const calls = frame.entries.filter(isCall)
    if (calls.length === frame.entries.length) return this.forward(workload, context, { calls, body })
    const refused = frame.entries.length - calls.length
    // A refused call could have any name.
    countCalls(workload.meter, 'other', { calls: refused, errors: refused, bytesOut: 0 })
    if (frame.isBatch) await this.answerPart(workload, context, { frame, calls, text: body.toString() })
    else refuseOnly(workload, context, frame, body.toString().trim())
  }

  /** The usual case: the body is sent on unchanged, and the answer is not parsed. */
  private async forward(workload: ServedWorkload, context: RequestContext, sent: Sent): Promise<void> {
    const reply = await this.ask(workload, context, sent)
    const bytes = await passOn(context, reply)
    this.countAll(workload, sent.calls, { bytes, hasFailed: isError(reply) })
  }

  /** Some calls of a batch are refused, in their places; the others are sent on. */
  private async answerPart(workload: ServedWorkload, context: RequestContext, { frame: { entries }, calls, text }: Part): Promise<void> {
    const { family } = workload
    if (calls.length === 0) return sendJson(context, 200, joinedAnswers({ text, entries, family }, '[]') ?? '')
    const reply = await this.ask(workload, context, { calls, body: Buffer.from(allowedPart(text, entries)), isWhole: true })
    const joined = reply.status === 200 ? joinedAnswers({ text, entries, family }, reply.body.toString()) : undefined
    this.countAll(workload, calls, { bytes: reply.body.length, hasFailed: joined === undefined })
    if (joined === undefined) await passOn(context, reply)
    else sendJson(context, 200, joined)
  }

  private async ask(workload: ServedWorkload, context: RequestContext, sent: Sent): Promise<MachineReply> {
    try {
      return await this.send(workload, { onLeave: (leave) => onAbandoned(context, leave), ...sent })
    } catch (error) {
      this.countAll(workload, sent.calls, { bytes: 0, hasFailed: true })
      throw error
    }
  }

  /** Rejects with a Problem. */
  private async send(workload: ServedWorkload, request: WorkloadRequest): Promise<MachineReply> {
    try {
      return await (workload.kind === 'node' ? memberToCall(workload).client.ask(request) : this.clusters.ask(workload, request))
    } catch (error) {
      if (!(error instanceof MachineFault)) throw error
      if (error.kind === 'locked') this.logger.error({ workload: workload.id }, 'a node refuses the password of the gateway')
      throw problemOfFault(error)
    }
  }

  private countAll(
    workload: ServedWorkload,
    calls: readonly AllowedCall[],
    { bytes, hasFailed }: { bytes: number; hasFailed: boolean },
  ): void {
    const errors = hasFailed ? 1 : 0
    // The answer is not parsed: each call is counted an equal share of the bytes, the first also the remainder.
    const share = Math.floor(bytes / calls.length)
    for (const { method } of calls) countCalls(workload.meter, method, { calls: 1, errors, bytesOut: share })
    const [first] = calls
    if (first) countCalls(workload.meter, first.method, { calls: 0, errors: 0, bytesOut: bytes - share * calls.length })
  }

  /** bitcoind's REST interface, which only reads. */
  private async serveRest(workload: ServedWorkload, path: string, context: RequestContext): Promise<void> {
    if (workload.family !== 'bitcoin' || !isRestPath(path)) throw new Problem('unknown', 'NotFound', 'There is nothing at this path.')
    const reply = await this.send(workload, { path, calls: [], onLeave: (leave) => onAbandoned(context, leave) })
    const bytesOut = await passOn(context, reply)
    countCalls(workload.meter, 'rest', { calls: 1, errors: reply.status >= 400 ? 1 : 0, bytesOut })
  }

  private enter(id: string): void {
    const { calls, callsOfOne } = this.bounds
    const underWay = this.#underWay.get(id) ?? 0
    if (underWay >= callsOfOne)
      throw new Problem(
        'too-many',
        'TooManyCalls',
        `At most ${callsOfOne} calls may be under way at once; wait until one has its response.`,
        { headers: retryAfter(1) },
      )
    if (this.#all >= calls)
      throw new Problem('unavailable', 'GatewayBusy', 'Too many calls are under way here; try again.', { headers: retryAfter(1) })
    this.#all++
    this.#underWay.set(id, underWay + 1)
  }

  private leave(id: string): void {
    this.#all--
    const underWay = (this.#underWay.get(id) ?? 1) - 1
    if (underWay > 0) this.#underWay.set(id, underWay)
    else this.#underWay.delete(id)
  }
}

interface Part {
  readonly frame: Frame
  readonly calls: readonly AllowedCall[]
  readonly text: string
}

const EMPTY = Buffer.alloc(0)

function sendJson(context: RequestContext, status: number, text: string): void {
  sendAnswer(context, { status, type: 'application/json', body: [Buffer.from(text)] })
}

function refuseFrame({ family }: ServedWorkload, context: RequestContext, error: CallError, call?: string): void {
  sendJson(context, errorStatus(error, family), errorText(error, family, call))
}

function refuseOnly(workload: ServedWorkload, context: RequestContext, { entries: [only] }: Frame, text: string): void {
  if (!only || !isRefused(only)) return
  if (only.isUnanswered) sendAnswer(context, { status: 204, type: '', body: [] })
  else refuseFrame(workload, context, only.error, text)
}

/** bitcoind ignores the content type, and its own client did not send one for a long time. */
function checkHead({ family }: ServedWorkload, { request }: RequestContext): void {
  if (family === 'evm' && !isJson(request.headers['content-type']))
    throw unsupported('Send calls as JSON, with the header Content-Type: application/json.')
  if (isEncoded(request.headers)) throw unsupported('A body with a Content-Encoding is not accepted: send it uncompressed.')
}

function unsupported(detail: string): Problem {
  return new Problem('unsupported-type', 'UnsupportedMediaType', detail)
}

const HEAD_BYTES = 256
const OBJECT = 0x7b

/** Whether a single call failed; within a string its quotes would be escaped. The answers of a batch are not parsed. */
function isError({ status, body }: MachineReply): boolean {
  return status >= 400 || (body[0] === OBJECT && body.subarray(0, HEAD_BYTES).includes('"error":{'))
}

/** Passes on what a machine answered, and returns how many bytes that were. A Problem where it breaks off. */
async function passOn(context: RequestContext, reply: MachineReply): Promise<number> {
  const { response, headers } = context
  const { status, type = 'application/json', body, rest } = reply
  if (!rest) {
    sendAnswer(context, { status, type, body: [body] })
    return body.length
  }
  const length = rest.length === undefined ? [] : ['content-length', String(rest.length)]
  response.writeHead(status, [...headers, 'content-type', type, ...length])
  response.write(body)
  try {
    const bytes = await rest.pipe(response)
    response.end()
    return bytes
  } catch (error) {
    throw error instanceof MachineFault ? problemOfFault(error) : error
  }
}
