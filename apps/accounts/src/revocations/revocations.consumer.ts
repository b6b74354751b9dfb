import { Controller, type OnModuleInit } from '@nestjs/common'
import { listRevocations } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { Signatures } from '@trestle/messaging/signatures'
import { replyOverHttp } from '@trestle/messaging/signed-http'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import { RevocationsService } from './revocations.service.js'

/** Where the other services poll for revocations: over NATS, or over HTTP while NATS is unavailable. */
@Controller()
export class RevocationsConsumer implements OnModuleInit {
  constructor(
    private readonly revocations: RevocationsService,
    private readonly routes: InternalRoutes,
    private readonly signatures: Signatures,
  ) {}

  onModuleInit(): void {
    this.routes.add('/revocations', (url) => replyOverHttp(this.signatures, listRevocations, url, (request) => this.list(request)))
  }

  @RepliesTo(listRevocations)
  list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    return this.revocations.list(request)
  }
}
