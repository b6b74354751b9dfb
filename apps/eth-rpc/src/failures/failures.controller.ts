import { Controller, Req, Res } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { projectErrors, projectFailures } from '@trestle/contracts/eth-rpc/failures'
import { nextLink } from '@trestle/runtime/next-link'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FailuresService } from './failures.service.js'

@Controller()
export class FailuresController {
  constructor(private readonly failures: FailuresService) {}

  @Serves(projectErrors.list)
  count(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof projectErrors.list>,
  ): Promise<Reply<typeof projectErrors.list>> {
    return this.failures.count({ organizationId, id: params.projectId }, query)
  }

  @Serves(projectFailures.list)
  async list(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof projectFailures.list>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Reply<typeof projectFailures.list>> {
    const { failures, next } = await this.failures.list({ organizationId, id: params.projectId }, query)
    if (next) void reply.headers(nextLink(request.originalUrl, { ...query, cursor: next }))
    return failures
  }

  @Serves(projectFailures.get)
  get(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params }: Input<typeof projectFailures.get>,
  ): Promise<Reply<typeof projectFailures.get>> {
    return this.failures.get({ organizationId, id: params.projectId }, params.requestId)
  }
}
