import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { count } from '../usage/usage-kind.js'
import type { Reply } from './exchange.js'
import { Forwarding } from './forwarding.service.js'
import type { Workload } from './live-workloads.engine.js'
import { isJson } from './media-type.js'
import {
  allowedPart,
  type Call,
  errorStatus,
  errorText,
  type Frame,
  isCall,
  isRefused,
  joinedAnswers,
  judge,
  type RpcError,
} from './rpc-frame.js'
import { answerWith, leavingOf, sendJson, type Visit } from './visit.js'

/** What is sent on, and whether the whole answer is wanted. */
interface Sent {
  readonly calls: readonly Call[]
  readonly body: Buffer
  readonly isWhole?: boolean
}

/** JSON-RPC: a call, or a batch of which each call is looked at. */
@Injectable()
export class RpcCalls {
  constructor(private readonly forwarding: Forwarding) {}

  async answer(holding: Workload, visit: Visit): Promise<void> {
    checkHead(holding, visit)
    const { body = EMPTY } = visit
    const frame = judge(body, holding)
    if ('code' in frame) return refuse(holding, visit, frame)
    const calls = frame.entries.filter(isCall)
    if (calls.length === frame.entries.length) return this.forward(holding, visit, { calls, body })
    const refused = frame.entries.length - calls.length
    // What nobody may call could have any name.
    count(holding.meter, 'other', { calls: refused, errors: refused, bytesOut: 0 })
    if (frame.isBatch) await this.answerPart(holding, visit, { frame, calls, text: body.toString() })
    else refuseOnly(holding, visit, frame, body.toString().trim())
  }

  /** The usual: what came is sent on as it is, and what comes back is not read. */
  private async forward(holding: Workload, visit: Visit, sent: Sent): Promise<void> {
    const reply = await this.ask(holding, visit, sent)
    const bytes = await answerWith(visit, reply)
    this.countAll(holding, sent.calls, { bytes, hasFailed: isError(reply) })
  }

  /** Some of a batch are refused: told in their places, and the others are sent on. */
  private async answerPart(holding: Workload, visit: Visit, { frame: { entries }, calls, text }: Part): Promise<void> {
    const { family } = holding
    if (calls.length === 0) return sendJson(visit, 200, joinedAnswers({ text, entries, family }, '[]') ?? '')
    const reply = await this.ask(holding, visit, { calls, body: Buffer.from(allowedPart(text, entries)), isWhole: true })
    const joined = reply.status === 200 ? joinedAnswers({ text, entries, family }, reply.body.toString()) : undefined
    this.countAll(holding, calls, { bytes: reply.body.length, hasFailed: joined === undefined })
    if (joined === undefined) await answerWith(visit, reply)
    else sendJson(visit, 200, joined)
  }

  private async ask(holding: Workload, visit: Visit, sent: Sent): Promise<Reply> {
    try {
      return await this.forwarding.ask(holding, { path: '/', onLeave: leavingOf(visit), ...sent })
    } catch (error) {
      this.countAll(holding, sent.calls, { bytes: 0, hasFailed: true })
      throw error
    }
  }

  private countAll(holding: Workload, calls: readonly Call[], { bytes, hasFailed }: { bytes: number; hasFailed: boolean }): void {
    const errors = hasFailed ? 1 : 0
    // Which bytes are of which call only reading the answer would tell: each has its share, the first what is left.
    const share = Math.floor(bytes / calls.length)
    for (const { method } of calls) count(holding.meter, method, { calls: 1, errors, bytesOut: share })
    const [first] = calls
    if (first) count(holding.meter, first.method, { calls: 0, errors: 0, bytesOut: bytes - share * calls.length })
  }
}

interface Part {
  readonly frame: Frame
  readonly calls: readonly Call[]
  readonly text: string
}

const EMPTY = Buffer.alloc(0)

function refuse({ family }: Workload, visit: Visit, error: RpcError, call?: string): void {
  sendJson(visit, errorStatus(error, family), errorText(error, family, call))
}

function refuseOnly(holding: Workload, visit: Visit, { entries: [only] }: Frame, text: string): void {
  if (!only || !isRefused(only)) return
  if (only.isUnanswered) visit.response.writeHead(204, [...visit.headers]).end()
  else refuse(holding, visit, only.error, text)
}

/** bitcoind looks at no content type, and its own client sent none for long. */
function checkHead({ family }: Workload, { request }: Visit): void {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers
  if (family === 'evm' && !isJson(type)) throw unsupported('Calls are application/json.')
  if (encoding !== 'identity') throw unsupported('A body with a Content-Encoding is not accepted.')
}

function unsupported(detail: string): Problem {
  return new Problem('unsupported-type', 'UnsupportedMediaType', detail)
}

const HEAD_BYTES = 256
const OBJECT = 0x7b

/** Of one call; within a text its quotes would be escaped. What the calls of a batch came to only reading the answer would tell. */
function isError({ status, body }: Reply): boolean {
  return status >= 400 || (body[0] === OBJECT && body.subarray(0, HEAD_BYTES).includes('"error":{'))
}
