import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Tags the answers that may be kept, and spares those a client has already (RFC 9110 section 13.1.2). */
export function tagResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || !mayBeKept(request, reply)) return done(null, payload)
    const tag = `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`
    reply.header('etag', tag)
    if (!isNamed(tag, request.headers['if-none-match'])) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    request.bytesOut = 0
    done(null, '')
  })
}

function mayBeKept({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return (method === 'GET' || method === 'HEAD') && reply.statusCode === 200 && reply.getHeader('cache-control') !== 'no-store'
}

/** Compared weakly: compression may have weakened the tag on its way out. */
function isNamed(tag: string, named: string | undefined): boolean {
  if (named === undefined) return false
  return named.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim()))
}
