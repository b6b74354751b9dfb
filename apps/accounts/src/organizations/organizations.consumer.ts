import { Controller } from '@nestjs/common'
import { describeOrganizations, describeUsers, getMembership, listMembers } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { describeFormerMembership } from './former-membership.js'
import { OrganizationsRepository } from './organizations.repository.js'

// What fits into one message.
const PAGE_SIZE = 1000

/** For services that report on organizations. */
@Controller()
export class OrganizationsConsumer {
  constructor(private readonly organizations: OrganizationsRepository) {}

  @RepliesTo(getMembership)
  async membership({ userId }: RequestOf<typeof getMembership>): Promise<ReplyOf<typeof getMembership>> {
    const [first] = await this.organizations.listByUser(userId)
    return describeFormerMembership(first)
  }

  @RepliesTo(listMembers)
  async members({ organizationId, after }: RequestOf<typeof listMembers>): Promise<ReplyOf<typeof listMembers>> {
    const members = await this.organizations.listMembersAfter(organizationId, { after, limit: PAGE_SIZE })
    return { members, next: members.length === PAGE_SIZE ? members.at(-1)?.userId : undefined }
  }

  @RepliesTo(describeUsers)
  async users({ userIds }: RequestOf<typeof describeUsers>): Promise<ReplyOf<typeof describeUsers>> {
    return { users: await this.organizations.describeUsers(userIds) }
  }

  @RepliesTo(describeOrganizations)
  async describe({ organizationIds }: RequestOf<typeof describeOrganizations>): Promise<ReplyOf<typeof describeOrganizations>> {
    return { organizations: await this.organizations.listNames(organizationIds) }
  }
}
