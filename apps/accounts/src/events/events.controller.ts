import { Controller, Req, Res } from '@nestjs/common'
import { accountEvents } from '@trestle/contracts/accounts/events'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { nextLink } from '@trestle/runtime/next-link'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EventsService } from './events.service.js'
import { OrganizationEventsService } from './organization-events.service.js'

@Controller()
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly organizationEvents: OrganizationEventsService,
  ) {}

  @Serves(accountEvents.list)
  async list(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { query }: Input<typeof accountEvents.list>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Reply<typeof accountEvents.list>> {
    const page = await this.events.list(caller.userId, query)
    if (page.next) void reply.headers(nextLink(request.originalUrl, page.next))
    return page.events
  }

  @Serves(accountEvents.ofOrganization)
  async ofOrganization(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, query }: Input<typeof accountEvents.ofOrganization>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Reply<typeof accountEvents.ofOrganization>> {
    const page = await this.organizationEvents.list(caller, params.id, query)
    if (page.next) void reply.headers(nextLink(request.originalUrl, { ...page.next, changes: String(query.changes) }))
    return page.events
  }
}
