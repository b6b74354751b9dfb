import { Module } from '@nestjs/common'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { SignInModule } from '../sign-in/sign-in.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { UsersModule } from '../users/users.module.js'
import { DiscoveredProviders } from './discovered-providers.engine.js'
import { GrantedRolesRepository } from './granted-roles.repository.js'
import { GrantedRolesService } from './granted-roles.service.js'
import { IdentityProviderClient } from './identity-provider.client.js'
import { IdentityProvidersController } from './identity-providers.controller.js'
import { IdentityUsersService } from './identity-users.service.js'
import { MailEnrolmentService } from './mail-enrolment.service.js'
import { ProviderCallbackService } from './provider-callback.service.js'
import { ProviderDirectoryModule } from './provider-directory.module.js'
import { ProviderSignInService } from './provider-sign-in.service.js'
import { ProviderStepUpService } from './provider-step-up.service.js'
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js'
import { SignInAttemptsService } from './sign-in-attempts.service.js'

@Module({
  imports: [OrganizationsModule, ProviderDirectoryModule, SessionsModule, SignInModule, ThrottlingModule, UsersModule],
  controllers: [IdentityProvidersController],
  providers: [
    IdentityUsersService,
    DiscoveredProviders,
    GrantedRolesRepository,
    GrantedRolesService,
    IdentityProviderClient,
    MailEnrolmentService,
    ProviderCallbackService,
    ProviderSignInService,
    ProviderStepUpService,
    SignInAttemptsRepository,
    SignInAttemptsService,
  ],
  exports: [GrantedRolesService],
})
export class IdentityProvidersModule {}
