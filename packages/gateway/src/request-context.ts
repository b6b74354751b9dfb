import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from '@trestle/runtime/compression'
import { clientAddressOf } from '@trestle/runtime/request'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One request, and what its answer needs. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Those every answer has, names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer | undefined
  /** The client's address, determined on demand: behind proxies that costs time. */
  address(): string
}

interface HttpAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers?: readonly string[]
  readonly type: string
  /** Its parts, in order. */
  readonly body: readonly Buffer[]
}

/** Up to so much leaves in one write with the head. */
const ONE_WRITE_BYTES = 17 * 1024

const compressed = promisify(gzip)
/** Higher levels shrink hex no further, at several times the cost. */
const GZIP = { level: 1 }

/** Takes a request from Fastify: from here on the answer is written to Node's response. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
  reply.hijack()
  const body = Buffer.isBuffer(request.body) ? request.body : undefined
  return { request: request.raw, response: reply.raw, headers, body, address: () => clientAddressOf(request) }
}

export function sendAnswer(
  { request, response, headers }: Pick<RequestContext, 'request' | 'response' | 'headers'>,
  answer: HttpAnswer,
): void {
  const { status, type, body } = answer
  const head = answer.headers ? [...headers, ...answer.headers] : [...headers]
  if (status !== 204) head.push('content-type', type, 'content-length', String(lengthOf(body)))
  response.writeHead(status, head)
  if (request.method === 'HEAD') response.end()
  else endWith(response, body)
}

/** Sends an answer compressed with gzip where it is long and the client accepts that; a short one leaves at once. */
export function sendCompressible(
  context: Pick<RequestContext, 'request' | 'response' | 'headers'>,
  answer: HttpAnswer,
): void | Promise<void> {
  if (lengthOf(answer.body) <= ONE_WRITE_BYTES) return sendAnswer(context, answer)
  const headers = [...(answer.headers ?? []), 'vary', 'accept-encoding']
  if (!acceptsGzip(context.request.headers['accept-encoding'])) return sendAnswer(context, { ...answer, headers })
  return compressed(Buffer.concat(answer.body), GZIP).then((body) =>
    sendAnswer(context, { ...answer, headers: [...headers, 'content-encoding', 'gzip'], body: [body] }),
  )
}

// Less is a part of something larger, which others may have.
const MAX_REST_BYTES = 1024

/**
 * Gives the memory of a large part of an answer back once all of it is sent. The garbage collector would do so a hundred megabytes later: the next
 * large answer would come to lie in memory that the kernel has to clear first, which took half of its time. Nobody else may need these bytes; who
 * reads them all the same finds none, never those of another answer.
 */
export function releaseOnceSent({ response }: Pick<RequestContext, 'response'>, { buffer, length }: Buffer): void {
  response.once('finish', () => {
    if ('transfer' in buffer && !buffer.detached && buffer.byteLength <= length + MAX_REST_BYTES) buffer.transfer(0)
  })
}

/** Runs when the client is gone before it had its whole answer. */
export function onAbandoned({ response }: Pick<RequestContext, 'response'>, abandon: () => void): void {
  response.once('close', () => {
    if (!response.writableFinished) abandon()
  })
}

function lengthOf(body: readonly Buffer[]): number {
  let length = 0
  for (const part of body) length += part.length
  return length
}

function endWith(response: ServerResponse, body: readonly Buffer[]): void {
  const [only, ...more] = body
  if (only && more.length === 0) {
    // As text it leaves in one write with the head; latin1 is every byte as it is.
    if (only.length <= ONE_WRITE_BYTES) response.end(only.toString('latin1'), 'latin1')
    else response.end(only)
    return
  }
  response.cork()
  for (const part of body) response.write(part)
  response.end()
}
