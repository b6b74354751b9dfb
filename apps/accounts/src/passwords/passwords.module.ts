import { Module } from '@nestjs/common'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { HashingService } from './hashing.service.js'
import { PasswordRangeClient } from './password-range.client.js'
import { PasswordsService } from './passwords.service.js'

@Module({
  imports: [ThrottlingModule],
  providers: [HashingService, PasswordRangeClient, PasswordsService],
  exports: [HashingService, PasswordsService],
})
export class PasswordsModule {}
