import { Module } from '@nestjs/common'
import { NoticesModule } from '../notices/notices.module.js'
import { PasswordsModule } from '../passwords/passwords.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { TokensModule } from '../tokens/tokens.module.js'
import { UsersModule } from '../users/users.module.js'
import { CredentialsService } from './credentials.service.js'
import { SessionOpeningService } from './session-opening.service.js'
import { SignInController } from './sign-in.controller.js'
import { SignInService } from './sign-in.service.js'

@Module({
  imports: [NoticesModule, PasswordsModule, SessionsModule, ThrottlingModule, TokensModule, UsersModule],
  controllers: [SignInController],
  providers: [CredentialsService, SessionOpeningService, SignInService],
})
export class SignInModule {}
