import { Module } from '@nestjs/common'
import { NoticesModule } from '../notices/notices.module.js'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { RevocationsModule } from '../revocations/revocations.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { ClientAuthenticationService } from './client-authentication.service.js'
import { ClientKeyCreationService } from './client-key-creation.service.js'
import { ClientKeysController } from './client-keys.controller.js'
import { ClientKeysRepository } from './client-keys.repository.js'
import { ClientKeysService } from './client-keys.service.js'
import { ExpiringKeysJob } from './expiring-keys.job.js'
import { ExpiringKeysService } from './expiring-keys.service.js'
import { KeyOwnersService } from './key-owners.service.js'
import { KeyUse } from './key-use.engine.js'
import { LiveClientsRepository } from './live-clients.repository.js'

@Module({
  imports: [NoticesModule, OrganizationsModule, RevocationsModule, ThrottlingModule],
  controllers: [ClientKeysController],
  providers: [
    ClientAuthenticationService,
    ClientKeyCreationService,
    ClientKeysRepository,
    ClientKeysService,
    ExpiringKeysJob,
    ExpiringKeysService,
    KeyOwnersService,
    KeyUse,
    LiveClientsRepository,
  ],
  exports: [ClientAuthenticationService],
})
export class ClientKeysModule {}
