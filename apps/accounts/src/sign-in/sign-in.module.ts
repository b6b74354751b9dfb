import { Module } from '@nestjs/common'
import { ProviderDirectoryModule } from '../identity-providers/provider-directory.module.js'
import { NoticesModule } from '../notices/notices.module.js'
import { PasswordsModule } from '../passwords/passwords.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { TokensModule } from '../tokens/tokens.module.js'
import { UsersModule } from '../users/users.module.js'
import { CredentialsService } from './credentials.service.js'
import { PasswordlessOpeningService } from './passwordless-opening.service.js'
import { SessionOpeningService } from './session-opening.service.js'
import { SignInController } from './sign-in.controller.js'
import { SignInService } from './sign-in.service.js'

@Module({
  imports: [NoticesModule, PasswordsModule, ProviderDirectoryModule, SessionsModule, ThrottlingModule, TokensModule, UsersModule],
  controllers: [SignInController],
  providers: [CredentialsService, PasswordlessOpeningService, SessionOpeningService, SignInService],
  exports: [PasswordlessOpeningService],
})
export class SignInModule {}
