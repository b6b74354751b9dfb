import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { approvalOf, type EndpointSpec } from '@trestle/contracts/endpoint'
import { ENDPOINT } from '@trestle/runtime/serves'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Approvals } from './approvals.js'

/** Runs after the guard that admits callers: an approval is good for one request, so it is the last thing that may refuse it. */
@Injectable()
export class ApprovalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly approvals: Approvals,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true
    const endpoint = this.reflector.get<EndpointSpec | undefined>(ENDPOINT, context.getHandler())
    // At once for most endpoints: what they do never needs a second person.
    return endpoint && approvalOf(endpoint) ? this.admit(context, endpoint) : true
  }

  private async admit(context: ExecutionContext, endpoint: EndpointSpec): Promise<true> {
    const http = context.switchToHttp()
    const request = http.getRequest<FastifyRequest>()
    const { caller } = request
    if (caller) request.caller = await this.approvals.admit(request, http.getResponse<FastifyReply>(), { caller, endpoint })
    return true
  }
}
