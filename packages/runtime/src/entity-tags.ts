import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Adds an ETag to cacheable responses, and answers 304 where the client has the response (RFC 9110 section 13.1.2). */
export function tagResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || !isCacheable(request, reply)) return done(null, payload)
    const tag = `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`
    reply.header('etag', tag)
    if (!matches(tag, request.headers['if-none-match'])) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    request.bytesOut = 0
    done(null, '')
  })
}

function isCacheable({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return (method === 'GET' || method === 'HEAD') && reply.statusCode === 200 && reply.getHeader('cache-control') !== 'no-store'
}

/** A weak comparison: compression may have weakened the tag of the earlier response. */
function matches(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim()))
}
