import { Problem } from '@trestle/problem/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.filter.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Responds to requests without a route: 404, 405 where the path has another method, and OPTIONS. */
export function handleUnrouted(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed: string[] = METHODS.filter((method) => isServed(request, method))
  const known = allowed.length > 0
  const supported = request.method === 'OPTIONS' || METHODS.some((method) => method === request.method)
  if (!known && supported) return sendProblem(reply, new Problem('unknown', 'NotFound', 'There is nothing at this path.'))
  reply.header('allow', [...(known ? allowed : METHODS), 'OPTIONS'].join(', '))
  if (request.method === 'OPTIONS') return reply.code(204).send()
  return sendProblem(reply, new Problem('method-not-allowed', 'MethodNotAllowed', `${request.method} is not allowed at this path.`))
}

function isServed(request: FastifyRequest, method: (typeof METHODS)[number]): boolean {
  const route = request.server.findRoute({ method, url: request.url })
  // The router accepts an empty parameter (`/users//token`); no path of ours has one.
  return route !== null && Object.values(route.params).every((value) => value !== '')
}
