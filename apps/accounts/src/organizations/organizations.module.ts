import { Module } from '@nestjs/common'
import { MailModule } from '../mail/mail.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { InvitationMailsService } from './invitation-mails.service.js'
import { InvitationsController } from './invitations.controller.js'
import { InvitationsRepository } from './invitations.repository.js'
import { InvitationsService } from './invitations.service.js'
import { OrganizationsConsumer } from './organizations.consumer.js'
import { OrganizationsController } from './organizations.controller.js'
import { OrganizationsRepository } from './organizations.repository.js'
import { OrganizationsService } from './organizations.service.js'

@Module({
  imports: [MailModule, ThrottlingModule],
  controllers: [InvitationsController, OrganizationsConsumer, OrganizationsController],
  providers: [InvitationMailsService, InvitationsRepository, InvitationsService, OrganizationsRepository, OrganizationsService],
  exports: [InvitationsService],
})
export class OrganizationsModule {}
