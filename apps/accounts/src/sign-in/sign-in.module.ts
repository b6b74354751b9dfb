import { Module } from '@nestjs/common'
import { ProviderDirectoryModule } from '../identity-providers/provider-directory.module.js'
import { NoticesModule } from '../notices/notices.module.js'
import { PasswordsModule } from '../passwords/passwords.module.js'
import { SecondFactorsModule } from '../second-factors/second-factors.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { TokensModule } from '../tokens/tokens.module.js'
import { UsersModule } from '../users/users.module.js'
import { CredentialsService } from './credentials.service.js'
import { SecondStepController } from './second-step.controller.js'
import { SecondStepService } from './second-step.service.js'
import { SessionOpeningService } from './session-opening.service.js'
import { SessionRenewalService } from './session-renewal.service.js'
import { SignInController } from './sign-in.controller.js'
import { SignInService } from './sign-in.service.js'
import { SignInCompletionService } from './sign-in-completion.service.js'

@Module({
  imports: [
    ...[NoticesModule, PasswordsModule, ProviderDirectoryModule, SecondFactorsModule, SessionsModule],
    ...[ThrottlingModule, TokensModule, UsersModule],
  ],
  controllers: [SecondStepController, SignInController],
  providers: [CredentialsService, SecondStepService, SessionOpeningService, SessionRenewalService, SignInCompletionService, SignInService],
  exports: [SessionRenewalService, SignInCompletionService],
})
export class SignInModule {}
