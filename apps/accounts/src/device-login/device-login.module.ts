import { Module } from '@nestjs/common'
import { SessionsModule } from '../sessions/sessions.module.js'
import { SignInModule } from '../sign-in/sign-in.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { UsersModule } from '../users/users.module.js'
import { DeviceDecisionsService } from './device-decisions.service.js'
import { DeviceLoginsController } from './device-logins.controller.js'
import { DeviceLoginsRepository } from './device-logins.repository.js'
import { DeviceLoginsService } from './device-logins.service.js'
import { DevicePollsService } from './device-polls.service.js'
import { DeviceRedemptionService } from './device-redemption.service.js'

@Module({
  imports: [SessionsModule, SignInModule, ThrottlingModule, UsersModule],
  controllers: [DeviceLoginsController],
  providers: [DeviceDecisionsService, DeviceLoginsRepository, DeviceLoginsService, DevicePollsService, DeviceRedemptionService],
  exports: [DeviceRedemptionService],
})
export class DeviceLoginModule {}
