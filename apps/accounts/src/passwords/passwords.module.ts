import { Module } from '@nestjs/common'
import { ProviderDirectoryModule } from '../identity-providers/provider-directory.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { HashingService } from './hashing.service.js'
import { PasswordRangeClient } from './password-range.client.js'
import { PasswordRulesService } from './password-rules.service.js'
import { PasswordsService } from './passwords.service.js'

@Module({
  imports: [ProviderDirectoryModule, ThrottlingModule],
  providers: [HashingService, PasswordRangeClient, PasswordRulesService, PasswordsService],
  exports: [HashingService, PasswordRulesService, PasswordsService],
})
export class PasswordsModule {}
