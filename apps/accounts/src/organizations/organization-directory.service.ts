import { Injectable } from '@nestjs/common'
import type { describeOrganizations, describeUsers, getMembership, listMembers } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { describeFormerMembership } from './former-membership.js'
import { OrganizationsRepository } from './organizations.repository.js'

// What fits into one message.
const PAGE_SIZE = 1000

/** Who is who, for services that report on organizations. */
@Injectable()
export class OrganizationDirectoryService {
  constructor(private readonly organizations: OrganizationsRepository) {}

  async formerMembership({ userId }: RequestOf<typeof getMembership>): Promise<ReplyOf<typeof getMembership>> {
    const [first] = await this.organizations.listByUser(userId)
    return describeFormerMembership(first)
  }

  async members({ organizationId, after }: RequestOf<typeof listMembers>): Promise<ReplyOf<typeof listMembers>> {
    const members = await this.organizations.listMembersAfter(organizationId, { after, limit: PAGE_SIZE })
    return { members, next: members.length === PAGE_SIZE ? members.at(-1)?.userId : undefined }
  }

  async users({ userIds }: RequestOf<typeof describeUsers>): Promise<ReplyOf<typeof describeUsers>> {
    return { users: await this.organizations.describeUsers(userIds) }
  }

  async named({ organizationIds }: RequestOf<typeof describeOrganizations>): Promise<ReplyOf<typeof describeOrganizations>> {
    return { organizations: await this.organizations.listNames(organizationIds) }
  }
}
