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

/** Parses what another process sent; throws the Problem `InvalidMessage` where it does not fit. */
export function decode<S extends z.ZodType>(schema: S, data: Uint8Array): z.output<S> {
  const parsed = schema.safeParse(jsonOf(data))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new Problem('invalid', 'InvalidMessage', 'The message is not of the agreed form.', { errors })
}

export function encodeReply(question: ServiceRequest, answer: unknown): string {
  return JSON.stringify({ answer: question.reply.parse(answer) })
}

export function encodeProblem(problem: Problem): string {
  return JSON.stringify({ problem: { ...problem.toJSON(), headers: problem.headers } })
}

/** The answer in a reply, or the Problem it carries, thrown as the other side threw it. */
export function decodeReply<Q extends ServiceRequest>(question: Q, data: Uint8Array): ReplyOf<Q> {
  const envelope = Envelope.safeParse(jsonOf(data))
  const { problem, answer: given } = envelope.data ?? {}
  if (problem) {
    const { status, code, detail, errors, headers } = problem
    throw new Problem(kindOf(status), code, detail, { errors, headers })
  }
  const answer = question.reply.safeParse(given)
  if (answer.success) return answer.data as ReplyOf<Q>
  throw new Problem('bad-upstream', 'InvalidAnswer', `The answer to ${question.subject} is not of the agreed form.`, {
    cause: answer.error,
  })
}

function jsonOf(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data))
  } catch {
    return undefined
  }
}
