import { Module } from '@nestjs/common'
import { ProviderDirectoryModule } from '../identity-providers/provider-directory.module.js'
import { MailModule } from '../mail/mail.module.js'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { PasswordsModule } from '../passwords/passwords.module.js'
import { ProofOfWorkModule } from '../proof-of-work/proof-of-work.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { TokensModule } from '../tokens/tokens.module.js'
import { EmailReplacementService } from './email-replacement.service.js'
import { EmailTokensRepository } from './email-tokens.repository.js'
import { EnrolmentService } from './enrolment.service.js'
import { ExternalIdentitiesRepository } from './external-identities.repository.js'
import { PasswordChangeService } from './password-change.service.js'
import { PasswordConfirmationService } from './password-confirmation.service.js'
import { PasswordReplacementService } from './password-replacement.service.js'
import { PasswordResetService } from './password-reset.service.js'
import { PasswordResetRequestService } from './password-reset-request.service.js'
import { PasswordsController } from './passwords.controller.js'
import { ProfilesController } from './profiles.controller.js'
import { ProfilesRepository } from './profiles.repository.js'
import { ProfilesService } from './profiles.service.js'
import { ProvisioningService } from './provisioning.service.js'
import { RegistrationController } from './registration.controller.js'
import { RegistrationService } from './registration.service.js'
import { RegistrationGateService } from './registration-gate.service.js'
import { RegistrationRulesService } from './registration-rules.service.js'
import { UserClosingService } from './user-closing.service.js'
import { UserMailsService } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'
import { UsersService } from './users.service.js'
import { VerificationService } from './verification.service.js'

@Module({
  imports: [
    ...[MailModule, OrganizationsModule, PasswordsModule, ProofOfWorkModule, ProviderDirectoryModule, SessionsModule],
    ...[ThrottlingModule, TokensModule],
  ],
  controllers: [PasswordsController, ProfilesController, RegistrationController],
  providers: [
    EmailReplacementService,
    EmailTokensRepository,
    EnrolmentService,
    ExternalIdentitiesRepository,
    PasswordChangeService,
    PasswordConfirmationService,
    PasswordReplacementService,
    PasswordResetService,
    PasswordResetRequestService,
    ProfilesRepository,
    ProfilesService,
    ProvisioningService,
    RegistrationGateService,
    RegistrationRulesService,
    RegistrationService,
    UserClosingService,
    UserMailsService,
    UsersRepository,
    UsersService,
    VerificationService,
  ],
  exports: [EmailReplacementService, EnrolmentService, PasswordConfirmationService, ProvisioningService, UserClosingService, UsersService],
})
export class UsersModule {}
