import { z } from 'zod'
import { NodeRefusal, NodeUnreachable, RPC } from './node-errors.js'

/** A call of the node's JSON-RPC, and how its answer is read. */
export interface NodeCall<T = unknown> {
  readonly method: string
  readonly params: readonly unknown[]
  readonly answer: z.ZodType<T>
}

/** What each question of a list is answered with. */
export type NodeReplies<Q extends readonly NodeCall[]> = {
  -readonly [I in keyof Q]: (Q[I] extends NodeCall<infer T> ? T : never) | NodeRefusal
}

const Response = z.object({
  id: z.number().nullish(),
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})
type Response = z.infer<typeof Response>

// Core before 28 speaks 1.0 only, and later ones take it as well.
export function encodeCalls(questions: readonly NodeCall[]): string {
  const calls = questions.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params }))
  return JSON.stringify(calls.length === 1 ? calls[0] : calls)
}

/** Reads what the node sent for these questions; a refusal stands in the place of its answer. */
export function decodeReplies<Q extends readonly NodeCall[]>(questions: Q, body: Buffer): NodeReplies<Q> {
  const responses = responsesOf(body)
  return questions.map((question, id) => {
    const response = questions.length === 1 ? responses[0] : responses.find((each) => each.id === id)
    if (!response) throw new NodeUnreachable(`The node left ${question.method} without an answer.`)
    return readAnswer(question, response)
  }) as NodeReplies<Q>
}

function readAnswer<T>({ method, answer }: NodeCall<T>, { error, result }: Response): T | NodeRefusal {
  // It reads its blocks, and will take questions in a while.
  if (error?.code === RPC.inWarmup) throw new NodeUnreachable(`The node starts up: ${error.message}`)
  if (error) return new NodeRefusal(error.code, error.message)
  const read = answer.safeParse(result)
  if (!read.success) throw new NodeUnreachable(`The node answered ${method} with something else.`)
  return read.data
}

function responsesOf(body: Buffer): Response[] {
  try {
    const read = z.union([Response.transform((one) => [one]), z.array(Response)]).safeParse(JSON.parse(body.toString()))
    if (read.success) return read.data
  } catch {
    // A page of a proxy, or half an answer.
  }
  throw new NodeUnreachable('What answers in place of the node does not speak JSON-RPC.')
}
