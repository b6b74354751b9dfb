import { Controller } from '@nestjs/common'
import { describeOrganizations, describeUsers, getMembership, listMembers } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { OrganizationDirectoryService } from './organization-directory.service.js'

@Controller()
export class OrganizationsConsumer {
  constructor(private readonly directory: OrganizationDirectoryService) {}

  @RepliesTo(getMembership)
  membership(request: RequestOf<typeof getMembership>): Promise<ReplyOf<typeof getMembership>> {
    return this.directory.formerMembership(request)
  }

  @RepliesTo(listMembers)
  members(request: RequestOf<typeof listMembers>): Promise<ReplyOf<typeof listMembers>> {
    return this.directory.members(request)
  }

  @RepliesTo(describeUsers)
  users(request: RequestOf<typeof describeUsers>): Promise<ReplyOf<typeof describeUsers>> {
    return this.directory.users(request)
  }

  @RepliesTo(describeOrganizations)
  organizations(request: RequestOf<typeof describeOrganizations>): Promise<ReplyOf<typeof describeOrganizations>> {
    return this.directory.named(request)
  }
}
