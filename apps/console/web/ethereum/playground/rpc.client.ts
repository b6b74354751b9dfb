import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { consoleFetch } from '../../platform/client.js'

/** One question and what came of it. */
export interface PlaygroundCall {
  readonly key: string
  readonly at: Date
  readonly method: string
  readonly params: readonly unknown[]
  readonly status: number
  readonly milliseconds: number
  readonly bytes: number
  readonly answer: unknown
}

const Failure = z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }) })
const Refused = z.object({ code: z.string(), detail: z.string() })

/** The whole request, as it is sent. */
export function rpcRequest(
  method: string,
  params: readonly unknown[],
): { jsonrpc: '2.0'; id: 1; method: string; params: readonly unknown[] } {
  return { jsonrpc: '2.0', id: 1, method, params }
}

/** Calls the gateway with one of the user's projects. */
export async function sendCall(chain: string, projectId: string, method: string, params: readonly unknown[]): Promise<PlaygroundCall> {
  const at = new Date()
  const startedAt = performance.now()
  const body = JSON.stringify(rpcRequest(method, params))
  const response = await consoleFetch(`/api/${chain}/v1/${projectId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  }).catch((cause) => {
    throw new Problem('unavailable', 'Unreachable', 'The platform cannot be reached.', { cause })
  })
  const text = await response.text()
  const milliseconds = performance.now() - startedAt
  const answer = read(text)
  const refused = Refused.safeParse(answer)
  // A proxy in front of the gateway answers in its own format.
  if (refused.success && response.status === 401) throw new Problem('unauthenticated', refused.data.code, refused.data.detail)
  return { key: crypto.randomUUID(), at, method, params, status: response.status, milliseconds, bytes: text.length, answer }
}

/** Why the node or the gateway refused the call. */
export function callFailure({ answer }: Pick<PlaygroundCall, 'answer'>): { code: number; message: string } | undefined {
  const failure = Failure.safeParse(answer)
  if (failure.success) return failure.data.error
  const refused = Refused.safeParse(answer)
  return refused.success ? { code: 0, message: refused.data.detail } : undefined
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
