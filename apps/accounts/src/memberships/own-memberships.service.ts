import { Injectable } from '@nestjs/common'
import { MembershipSource } from '@trestle/auth/memberships'
import type { listMemberships } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { MembershipsService } from './memberships.service.js'

/** This service's own guards read the memberships from the table, so that they work without NATS. */
@Injectable()
export class OwnMembershipsService extends MembershipSource {
  constructor(private readonly memberships: MembershipsService) {
    super()
  }

  list(request: RequestOf<typeof listMemberships>): Promise<ReplyOf<typeof listMemberships>> {
    return this.memberships.list(request)
  }
}
