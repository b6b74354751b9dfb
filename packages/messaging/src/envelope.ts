import type { ReplyOf, ServiceRequest } from '@trestle/contracts/message'
import { kindOf, Problem } from '@trestle/problem/problem'
import { z } from 'zod'

const Envelope = z.object({
  answer: z.unknown().optional(),
  problem: z
    .object({
      status: z.int(),
      code: z.string(),
      detail: z.string(),
      errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
})

/** Parses a message of another process; throws the Problem `InvalidMessage` where it does not fit the schema. */
export function decode<S extends z.ZodType>(schema: S, data: Uint8Array): z.output<S> {
  const parsed = schema.safeParse(jsonOf(data))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new Problem('invalid', 'InvalidMessage', 'The message does not have the declared form.', { errors })
}

export function encodeReply(request: ServiceRequest, reply: unknown): string {
  return JSON.stringify({ answer: request.reply.parse(reply) })
}

export function encodeProblem(problem: Problem): string {
  return JSON.stringify({ problem: { ...problem.toJSON(), headers: problem.headers } })
}

/** The reply in an envelope. A Problem in it is thrown as the other side threw it. */
export function decodeReply<R extends ServiceRequest>(request: R, data: Uint8Array): ReplyOf<R> {
  const envelope = Envelope.safeParse(jsonOf(data))
  const { problem, answer } = envelope.data ?? {}
  if (problem) {
    const { status, code, detail, errors, headers } = problem
    throw new Problem(kindOf(status), code, detail, { errors, headers })
  }
  const reply = request.reply.safeParse(answer)
  if (reply.success) return reply.data as ReplyOf<R>
  throw new Problem('bad-upstream', 'InvalidAnswer', `The reply to ${request.subject} does not have the declared form.`, {
    cause: reply.error,
  })
}

function jsonOf(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data))
  } catch {
    return undefined
  }
}
