import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { parseJsonBody, problemOf, type ReceivedReply } from './answer.js'
import { exchange } from './call.js'
import type { Connection, RequestInput } from './connection.js'

export interface RpcCall {
  method: string
  params?: readonly unknown[] | object
}

/** The error of a call; the codes are those of JSON-RPC 2.0 section 5.1, EIP-1474 and EIP-1193, or the node's own. */
export class RpcError extends Error {
  override readonly name = 'RpcError'

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

// Version 1 has both members, one of them null.
const Failure = z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) })
const Success = z.object({ result: z.unknown() })

/** One JSON-RPC call: its result, or a thrown `RpcError`, or a `Problem` if the response is not JSON-RPC. */
export async function rpc(
  endpoint: EndpointSpec,
  connection: Connection,
  { method, params }: RpcCall,
  given: RequestInput,
): Promise<unknown> {
  return resultOf(await exchange(endpoint, connection, { ...given, body: { jsonrpc: '2.0', id: 1, method, params } }))
}

function resultOf(received: ReceivedReply): unknown {
  const answer = parseJsonBody(received.text)
  const failure = Failure.safeParse(answer)
  if (failure.success) {
    const { code, message, data } = failure.data.error
    throw new RpcError(code, message, data)
  }
  if (received.status >= 400) throw problemOf(received)
  const success = Success.safeParse(answer)
  if (success.success) return success.data.result
  throw new Problem('bad-upstream', 'InvalidReply', 'The answer is none of JSON-RPC.', { cause: success.error })
}
