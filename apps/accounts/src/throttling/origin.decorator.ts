import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { networkOf } from './network.js'

/** Where a request comes from. */
export interface Origin {
  readonly ip: string
  readonly network: string
  readonly userAgent: string
}

const USER_AGENT_LENGTH = 300

/** The request's origin; its address is that of the nearest hop that is not one of our own proxies. */
export const Origin = createParamDecorator((_: unknown, context: ExecutionContext): Origin => {
  const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>()
  return { ip, network: networkOf(ip), userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH) }
})
