import { Global, Module } from '@nestjs/common'
import { MailModule } from '../mail/mail.module.js'
import { UnitOfWorkService } from './unit-of-work.service.js'

@Global()
@Module({ imports: [MailModule], providers: [UnitOfWorkService], exports: [UnitOfWorkService] })
export class UnitOfWorkModule {}
