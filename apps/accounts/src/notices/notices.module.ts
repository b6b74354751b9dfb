import { Module } from '@nestjs/common'
import { MailModule } from '../mail/mail.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { NoticesConsumer } from './notices.consumer.js'
import { NoticesService } from './notices.service.js'

@Module({ imports: [MailModule, ThrottlingModule], controllers: [NoticesConsumer], providers: [NoticesService], exports: [NoticesService] })
export class NoticesModule {}
