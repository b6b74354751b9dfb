import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const compressed = promisify(gzip)

/** A shorter response fits into one packet uncompressed. */
const MIN_BYTES = 1024
/** The highest levels shrink hex and JSON little further, at several times the cost. */
const OPTIONS = { level: 4 }

/** Compresses longer responses with gzip for clients that accept it. */
export function compressResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    if (!isLong(payload) || !mayCompress(reply)) return payload
    reply.header('vary', 'accept-encoding')
    if (request.method === 'HEAD' || !acceptsGzip(request.headers['accept-encoding'])) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    weaken(reply)
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return pipeline(payload, createGzip(OPTIONS), () => {})
    return measured(request, await compressed(payload, OPTIONS))
  })
}

function isLong(payload: unknown): payload is string | Buffer | Readable {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length >= MIN_BYTES
  return typeof payload === 'object' && payload !== null && 'pipe' in payload
}

// Server-sent events must not wait in a buffer.
function mayCompress(reply: FastifyReply): boolean {
  return !reply.hasHeader('content-encoding') && !String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')
}

/** RFC 9110 section 12.5.3 */
export function acceptsGzip(accepted = ''): boolean {
  const codings = accepted
    .toLowerCase()
    .split(',')
    .map((coding) => coding.replace(/\s/g, ''))
  const chosen = codings.find((coding) => coding.split(';', 1)[0] === 'gzip') ?? codings.find((coding) => coding.split(';', 1)[0] === '*')
  return chosen !== undefined && !/;q=0(\.0*)?$/.test(chosen)
}

/** RFC 9110 section 8.8.1: a strong validator stands for the exact bytes, which have changed. */
function weaken(reply: FastifyReply): void {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
}

/** The activity record has the bytes as sent. */
function measured(request: FastifyRequest, bytes: Buffer): Buffer {
  request.bytesOut = bytes.length
  return bytes
}
