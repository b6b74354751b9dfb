import { Controller, type OnModuleInit } from '@nestjs/common'
import { listMemberships } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { Signatures } from '@trestle/messaging/signatures'
import { replyOverHttp } from '@trestle/messaging/signed-http'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import { MembershipsService } from './memberships.service.js'

/** Where the other services poll for memberships: over NATS, or over HTTP while NATS is unavailable. */
@Controller()
export class MembershipsConsumer implements OnModuleInit {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly routes: InternalRoutes,
    private readonly signatures: Signatures,
  ) {}

  onModuleInit(): void {
    this.routes.add('/memberships', (url) => replyOverHttp(this.signatures, listMemberships, url, (request) => this.list(request)))
  }

  @RepliesTo(listMemberships)
  list(request: RequestOf<typeof listMemberships>): Promise<ReplyOf<typeof listMemberships>> {
    return this.memberships.list(request)
  }
}
