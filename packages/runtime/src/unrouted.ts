import { Problem } from '@trestle/problem/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.filter.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Answers what no route matches: 404, 405 where the path is known with another method, and OPTIONS. */
export function handleUnrouted(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed: string[] = METHODS.filter((method) => isServed(request, method))
  const known = allowed.length > 0
  const supported = request.method === 'OPTIONS' || METHODS.some((method) => method === request.method)
  if (!known && supported) return sendProblem(reply, new Problem('unknown', 'NotFound', 'There is nothing at this path.'))
  reply.header('allow', [...(known ? allowed : METHODS), 'OPTIONS'].join(', '))
  if (request.method === 'OPTIONS') return reply.code(204).send()
  return sendProblem(reply, new Problem('method-not-allowed', 'MethodNotAllowed', `${request.method} is not possible here.`))
}

function isServed(request: FastifyRequest, method: (typeof METHODS)[number]): boolean {
  const route = request.server.findRoute({ method, url: request.url })
  // The router lets a parameter be empty (`/users//token`); that is nobody's path.
  return route !== null && Object.values(route.params).every((value) => value !== '')
}
