import { Module } from '@nestjs/common'
import { NoticesModule } from '../notices/notices.module.js'
import { PasswordsModule } from '../passwords/passwords.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { TokensModule } from '../tokens/tokens.module.js'
import { UsersModule } from '../users/users.module.js'
import { ChallengesRepository } from './challenges.repository.js'
import { ChallengesService } from './challenges.service.js'
import { FactorAdditionsService } from './factor-additions.service.js'
import { FactorChangesService } from './factor-changes.service.js'
import { FactorChecksService } from './factor-checks.service.js'
import { FactorEnrolmentController } from './factor-enrolment.controller.js'
import { FactorOwnerService } from './factor-owner.service.js'
import { FactorProofsService } from './factor-proofs.service.js'
import { FactorRemovalsService } from './factor-removals.service.js'
import { PasskeyEnrolmentService } from './passkey-enrolment.service.js'
import { PasskeysService } from './passkeys.service.js'
import { RecoveryCodesRepository } from './recovery-codes.repository.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { SecondFactorsController } from './second-factors.controller.js'
import { SecondFactorsRepository } from './second-factors.repository.js'
import { SecondFactorsService } from './second-factors.service.js'
import { SessionRestartService } from './session-restart.service.js'
import { TotpService } from './totp.service.js'
import { TotpEnrolmentService } from './totp-enrolment.service.js'

@Module({
  imports: [NoticesModule, PasswordsModule, SessionsModule, ThrottlingModule, TokensModule, UsersModule],
  controllers: [FactorEnrolmentController, SecondFactorsController],
  providers: [
    ChallengesRepository,
    ChallengesService,
    FactorAdditionsService,
    FactorChangesService,
    FactorChecksService,
    FactorOwnerService,
    FactorProofsService,
    FactorRemovalsService,
    PasskeyEnrolmentService,
    PasskeysService,
    RecoveryCodesRepository,
    RecoveryCodesService,
    SecondFactorsRepository,
    SecondFactorsService,
    SessionRestartService,
    TotpEnrolmentService,
    TotpService,
  ],
  exports: [ChallengesService, FactorProofsService, SecondFactorsService, SessionRestartService],
})
export class SecondFactorsModule {}
