import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { Cursor, queryInteger, TimeInput, Timestamp } from '../fields.js'
import { ProjectParams } from './projects.js'

/** What kind of failure a code of JSON-RPC is. */
export const FailureKind = z.enum(['reverted', 'rejected', 'invalid', 'unserved', 'refused', 'limited', 'unavailable', 'internal']).meta({
  id: 'FailureKind',
  description:
    'By code. `reverted`: the contract did. `rejected`: a node refuses the call, as of a nonce too low. `invalid`: it is no call, or its params are wrong. `unserved`: the method is not. `refused`: by the rules of the project. `limited`: too many calls, or too large an answer. `unavailable`: no node could answer, or none did in time, or the caller left. `internal`: a bug.',
})
export type FailureKind = z.infer<typeof FailureKind>

const Code = z
  .int()
  .meta({ description: 'Of JSON-RPC. 0 stands for codes of nodes that are no usual integers, or too many different ones.' })

/** A method that is not served counts under this name, and so does what is no call. */
export const UNKNOWN_METHOD = 'unknown'

const ErrorCount = z
  .object({
    time: Timestamp.meta({ description: 'The start of the hour or day (UTC).' }),
    method: z
      .string()
      .meta({ description: `\`${UNKNOWN_METHOD}\` for methods that are not served, and for requests that were refused unread.` }),
    code: Code,
    kind: FailureKind,
    count: z.int().min(1),
  })
  .meta({ id: 'ErrorCount' })
export type ErrorCount = z.infer<typeof ErrorCount>

const Shown = z.string().meta({ description: 'Redacted.' })

export const FailedCall = z
  .object({
    id: z.uuid(),
    time: Timestamp,
    requestId: z.string().meta({
      description:
        'The header `x-request-id` of the response; of a WebSocket that of the response that opened it. Calls of a batch share it.',
    }),
    method: z.string(),
    code: Code,
    kind: FailureKind,
    ms: z.number().min(0).meta({ description: 'From reading the call to having its response.' }),
    request: z
      .object({ id: Shown.optional(), params: z.array(z.unknown()).optional() })
      .meta({ id: 'FailedRequest', description: 'Redacted; `id` as JSON. Without params where it was no call.' }),
    error: z.object({ message: Shown, data: z.unknown().optional() }).meta({ id: 'FailedAnswer', description: 'Redacted.' }),
    upstream: z.string().optional().meta({ description: 'The node that reported the error.' }),
    attempts: z
      .array(z.object({ upstream: z.string(), outcome: z.string() }))
      .optional()
      .meta({ description: 'The nodes that were asked in vain, and what came of it, such as `timeout` or `limited`.' }),
    key: z
      .object({ number: z.int(), name: z.string() })
      .optional()
      .meta({ id: 'FailedCallKey', description: 'The key of the project that was called with, by the name it had; left out: the id.' }),
    cached: z.literal(true).optional().meta({ description: 'The error was in the cache.' }),
  })
  .meta({ id: 'FailedCall', description: 'A sample: of many equal failures a second only some are kept.' })
export type FailedCall = z.infer<typeof FailedCall>

const CodeInput = z
  .string()
  .regex(/^(0|-?[1-9]\d{0,9})$/, 'must be a code of JSON-RPC, such as -32602')
  .transform(Number)
  .pipe(z.number().min(-2_147_483_648).max(2_147_483_647))
  .meta({ type: 'integer' })

const granularity = z.enum(['hour', 'day'])

export const projectErrors = {
  list: endpoint({
    method: 'GET',
    path: '/projects/{projectId}/errors',
    summary:
      'Failed calls by method, code and hour (at most 7 days) or day (at most 30), oldest first, of more than 10,000 rows the newest; by default the last 24 hours. They are included after about a second and kept for 30 days.',
    access: can('eth:read'),
    params: ProjectParams,
    query: z.object({
      from: TimeInput.optional().meta({
        description: 'By default 24 hours before `to`. The hour or day it falls in is included as a whole.',
      }),
      to: TimeInput.optional().meta({ description: 'By default now; exclusive.' }),
      granularity: granularity.default('hour'),
    }),
    status: 200,
    reply: z.object({ from: Timestamp, to: Timestamp, granularity, errors: z.array(ErrorCount) }).meta({ id: 'ProjectErrors' }),
    problems: ['UnknownProject', 'InvalidRange'],
  }),
}

export const projectFailures = {
  list: endpoint({
    method: 'GET',
    path: '/projects/{projectId}/failures',
    summary:
      'Samples of calls that failed, newest first: the last 1,000 at most, of the last 7 days. A `Link: rel="next"` header leads to the next page.',
    access: can('eth:read'),
    params: ProjectParams,
    query: z.object({
      method: z.string().max(64).optional(),
      code: CodeInput.optional(),
      limit: queryInteger(1, 100).default(50),
      cursor: Cursor.optional(),
    }),
    status: 200,
    reply: z.array(FailedCall),
    problems: ['UnknownProject', 'InvalidCursor'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/{projectId}/failures/{requestId}',
    summary:
      'The samples of one request, by the `x-request-id` of its response, oldest first: of a batch or a WebSocket several, 100 at most.',
    access: can('eth:read'),
    params: ProjectParams.extend({ requestId: z.string().max(100) }),
    status: 200,
    reply: z.array(FailedCall),
    problems: ['UnknownProject', 'UnknownFailure'],
  }),
}
