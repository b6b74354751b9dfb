import { Module } from '@nestjs/common'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { MailDeliveryService } from './mail-delivery.service.js'
import { MailSender } from './mail-sender.engine.js'
import { MailTransport } from './mail-transport.js'
import { MailboxController } from './mailbox.controller.js'
import { MailboxRepository } from './mailbox.repository.js'
import { MailboxService } from './mailbox.service.js'
import { MailsRepository } from './mails.repository.js'
import { MailsService } from './mails.service.js'
import { SmtpClient } from './smtp.client.js'

@Module({
  controllers: [MailboxController],
  providers: [
    MailboxRepository,
    MailboxService,
    MailDeliveryService,
    MailSender,
    MailsRepository,
    MailsService,
    {
      provide: MailTransport,
      inject: [ENV, MailboxService],
      useFactory: (env: AccountsEnv, mailbox: MailboxService) => (env.MAIL_TRANSPORT === 'mailbox' ? mailbox : new SmtpClient(env)),
    },
  ],
  exports: [MailSender, MailsService],
})
export class MailModule {}
