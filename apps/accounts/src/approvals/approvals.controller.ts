import { Controller, Req, Res } from '@nestjs/common'
import { approvals } from '@trestle/contracts/accounts/approvals'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { nextLink } from '@trestle/runtime/next-link'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApprovalRequestsService } from './approval-requests.service.js'
import { ApprovalsService } from './approvals.service.js'

type Of<E extends keyof typeof approvals> = Input<(typeof approvals)[E]>
type Replied<E extends keyof typeof approvals> = Promise<Reply<(typeof approvals)[E]>>

@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly requests: ApprovalRequestsService,
  ) {}

  @Serves(approvals.request)
  request(@CurrentCaller() caller: CurrentCaller, @Parsed() { params, body }: Of<'request'>): Replied<'request'> {
    return this.requests.request(caller, params.id, body)
  }

  @Serves(approvals.list)
  async list(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, query }: Of<'list'>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Replied<'list'> {
    const page = await this.approvals.list(caller, params.id, query)
    if (page.next) void reply.headers(nextLink(request.originalUrl, { ...query, cursor: page.next }))
    return page.approvals
  }

  @Serves(approvals.get)
  get(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Of<'get'>): Replied<'get'> {
    return this.approvals.get(caller, params.id, params.approvalId)
  }

  @Serves(approvals.decide)
  decide(@CurrentCaller() caller: CurrentCaller, @Parsed() { params, body }: Of<'decide'>): Replied<'decide'> {
    return this.approvals.decide(caller, params.id, { id: params.approvalId, decision: body.decision })
  }
}
