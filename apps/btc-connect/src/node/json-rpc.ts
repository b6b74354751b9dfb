import { z } from 'zod'
import { NodeRefusal, NodeUnreachable, RPC } from './node-errors.js'

/** A call of the node's JSON-RPC and the schema of its result. */
export interface NodeRpcCall<T = unknown> {
  readonly method: string
  readonly params: readonly unknown[]
  readonly answer: z.ZodType<T>
}

/** The results of a list of calls. */
export type NodeReplies<Q extends readonly NodeRpcCall[]> = {
  -readonly [I in keyof Q]: (Q[I] extends NodeRpcCall<infer T> ? T : never) | NodeRefusal
}

const Response = z.object({
  id: z.number().nullish(),
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})
type Response = z.infer<typeof Response>

// Core before 28 supports 1.0 only, and later versions still accept it.
export function encodeCalls(questions: readonly NodeRpcCall[]): string {
  const calls = questions.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params }))
  return JSON.stringify(calls.length === 1 ? calls[0] : calls)
}

/** Decodes the responses to these calls; a refusal takes the place of a result. */
export function decodeReplies<Q extends readonly NodeRpcCall[]>(questions: Q, body: Buffer): NodeReplies<Q> {
  const responses = responsesOf(body)
  return questions.map((question, id) => {
    const response = questions.length === 1 ? responses[0] : responses.find((each) => each.id === id)
    if (!response) throw new NodeUnreachable(`The node sent no response to ${question.method}.`)
    return readAnswer(question, response)
  }) as NodeReplies<Q>
}

function readAnswer<T>({ method, answer }: NodeRpcCall<T>, { error, result }: Response): T | NodeRefusal {
  // It is reading its blocks and will accept calls later.
  if (error?.code === RPC.inWarmup) throw new NodeUnreachable(`The node is starting up: ${error.message}`)
  if (error) return new NodeRefusal(error.code, error.message)
  const read = answer.safeParse(result)
  if (!read.success) throw new NodeUnreachable(`The node sent an invalid result of ${method}.`)
  return read.data
}

function responsesOf(body: Buffer): Response[] {
  try {
    const read = z.union([Response.transform((one) => [one]), z.array(Response)]).safeParse(JSON.parse(body.toString()))
    if (read.success) return read.data
  } catch {
    // A proxy's error page, or a truncated response.
  }
  throw new NodeUnreachable('The server at NODE_URL does not speak JSON-RPC.')
}
