import type { FastifyInstance } from 'fastify'

// Methods as the Insight API lists them; headers as this platform uses them.
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, POST, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, If-None-Match, Last-Event-ID, Trestle-Approval, Trestle-Organization, X-Request-Id',
  'access-control-expose-headers': 'ETag, Retry-After, WWW-Authenticate, X-Index-Height, X-Request-Id, X-Total-Count',
  'access-control-max-age': '86400',
}

/** Lets pages of any origin call: tokens are sent by scripts that have them, never by the browser itself. */
export function allowAllOrigins(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    reply.headers(HEADERS)
    done()
  })
}
