import { Module } from '@nestjs/common'
import { MailModule } from '../mail/mail.module.js'
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js'
import { UsersModule } from '../users/users.module.js'
import { AdministrationController } from './administration.controller.js'
import { FactorExemptionJob } from './factor-exemption.job.js'

@Module({ imports: [MailModule, SigningKeysModule, UsersModule], controllers: [AdministrationController], providers: [FactorExemptionJob] })
export class AdministrationModule {}
