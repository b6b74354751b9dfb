import { Injectable } from '@nestjs/common'
import { RevocationSource } from '@trestle/auth/revocations'
import type { listRevocations } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { RevocationsService } from './revocations.service.js'

/** This service's own guards read the revocations from the table, so that they work without NATS. */
@Injectable()
export class OwnRevocationsService extends RevocationSource {
  constructor(private readonly revocations: RevocationsService) {
    super()
  }

  list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    return this.revocations.list(request)
  }
}
