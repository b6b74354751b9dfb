import { Controller } from '@nestjs/common'
import { getMembership, listMembers } from '@trestle/contracts/accounts/messages'
import type { Answer, Request } from '@trestle/contracts/message'
import { Answers } from '@trestle/messaging/answers'
import { OrganizationsService } from './organizations.service.js'

@Controller()
export class OrganizationsConsumer {
  constructor(private readonly organizations: OrganizationsService) {}

  @Answers(getMembership)
  membership({ userId }: Request<typeof getMembership>): Promise<Answer<typeof getMembership>> {
    return this.organizations.membership(userId)
  }

  @Answers(listMembers)
  members({ organizationId, after }: Request<typeof listMembers>): Promise<Answer<typeof listMembers>> {
    return this.organizations.listMembers(organizationId, after)
  }
}
