import { Module } from '@nestjs/common'
import { MailModule } from '../mail/mail.module.js'
import { NoticesService } from './notices.service.js'

@Module({ imports: [MailModule], providers: [NoticesService], exports: [NoticesService] })
export class NoticesModule {}
