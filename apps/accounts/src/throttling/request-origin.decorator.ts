import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import { networkPrefixOf } from '@trestle/runtime/network-prefix'
import type { FastifyRequest } from 'fastify'

export interface RequestOrigin {
  readonly ip: string
  readonly network: string
  readonly userAgent: string
}

const MAX_USER_AGENT = 300

/** Where a request comes from: the address of the nearest hop that is not one of our own proxies. */
export const RequestOrigin = createParamDecorator((_: unknown, context: ExecutionContext): RequestOrigin => {
  const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>()
  return { ip, network: networkPrefixOf(ip), userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT) }
})
