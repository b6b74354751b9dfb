import type { IncomingMessage } from 'node:http'
import { Problem } from '@trestle/problem/problem'
import { parseBody } from '@trestle/runtime/parse-body'
import type { z } from 'zod'

const MAX_BODY_BYTES = 16_384

/** The JSON body of a request, as the schema has it. */
export async function readJsonBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const chunks: Buffer[] = []
  let size = 0
  const arriving: AsyncIterable<Buffer> = request
  for await (const chunk of arriving) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Problem('too-large', 'BodyTooLarge', `The body is larger than ${MAX_BODY_BYTES} bytes; send less.`)
    chunks.push(chunk)
  }
  return parseBody(schema, parseJson(Buffer.concat(chunks).toString()))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
