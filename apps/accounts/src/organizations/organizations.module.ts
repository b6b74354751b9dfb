import { Module } from '@nestjs/common'
import { ApprovalUseModule } from '../approvals/approval-use.module.js'
import { KeyEndingsModule } from '../client-keys/key-endings.module.js'
import { MailModule } from '../mail/mail.module.js'
import { MembershipsModule } from '../memberships/memberships.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { DeparturesService } from './departures.service.js'
import { DissolutionsService } from './dissolutions.service.js'
import { GrantedMembershipsService } from './granted-memberships.service.js'
import { InvitationAcceptanceService } from './invitation-acceptance.service.js'
import { InvitationMailsService } from './invitation-mails.service.js'
import { InvitationsController } from './invitations.controller.js'
import { InvitationsRepository } from './invitations.repository.js'
import { InvitationsService } from './invitations.service.js'
import { MembersService } from './members.service.js'
import { OrganizationCreationService } from './organization-creation.service.js'
import { OrganizationDirectoryService } from './organization-directory.service.js'
import { OrganizationsConsumer } from './organizations.consumer.js'
import { OrganizationsController } from './organizations.controller.js'
import { OrganizationsRepository } from './organizations.repository.js'
import { OrganizationsService } from './organizations.service.js'
import { PoliciesController } from './policies.controller.js'
import { PoliciesService } from './policies.service.js'
import { RolesController } from './roles.controller.js'
import { RolesRepository } from './roles.repository.js'
import { RolesService } from './roles.service.js'
import { RostersService } from './rosters.service.js'

@Module({
  imports: [ApprovalUseModule, KeyEndingsModule, MailModule, MembershipsModule, ThrottlingModule],
  controllers: [InvitationsController, OrganizationsConsumer, OrganizationsController, PoliciesController, RolesController],
  providers: [
    DeparturesService,
    DissolutionsService,
    GrantedMembershipsService,
    InvitationAcceptanceService,
    InvitationMailsService,
    InvitationsRepository,
    InvitationsService,
    MembersService,
    OrganizationCreationService,
    OrganizationDirectoryService,
    OrganizationsRepository,
    OrganizationsService,
    PoliciesService,
    RolesRepository,
    RolesService,
    RostersService,
  ],
  exports: [DeparturesService, GrantedMembershipsService, InvitationAcceptanceService, RostersService],
})
export class OrganizationsModule {}
