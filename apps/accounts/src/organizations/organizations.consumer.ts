import { Controller } from '@nestjs/common'
import { getMembership, listMembers } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { OrganizationsService } from './organizations.service.js'

@Controller()
export class OrganizationsConsumer {
  constructor(private readonly organizations: OrganizationsService) {}

  @RepliesTo(getMembership)
  membership({ userId }: RequestOf<typeof getMembership>): Promise<ReplyOf<typeof getMembership>> {
    return this.organizations.membership(userId)
  }

  @RepliesTo(listMembers)
  members({ organizationId, after }: RequestOf<typeof listMembers>): Promise<ReplyOf<typeof listMembers>> {
    return this.organizations.listMembers(organizationId, after)
  }
}
