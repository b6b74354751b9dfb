import { Controller, type OnModuleInit } from '@nestjs/common'
import { listRevocations } from '@trestle/contracts/accounts/messages'
import type { Answer, Request } from '@trestle/contracts/message'
import { Answers } from '@trestle/messaging/answers'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import { RevocationsService } from './revocations.service.js'

/** The other services ask here for what they have not heard: over NATS, and over HTTP while NATS is away. */
@Controller()
export class RevocationsConsumer implements OnModuleInit {
  constructor(
    private readonly revocations: RevocationsService,
    private readonly routes: InternalRoutes,
  ) {}

  onModuleInit(): void {
    this.routes.add('/revocations', (url) => this.list(listRevocations.request.parse(Object.fromEntries(url.searchParams))))
  }

  @Answers(listRevocations)
  list(request: Request<typeof listRevocations>): Promise<Answer<typeof listRevocations>> {
    return this.revocations.list(request)
  }
}
