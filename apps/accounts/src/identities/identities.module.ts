import { Module } from '@nestjs/common'
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.js'
import { ProviderDirectoryModule } from '../identity-providers/provider-directory.module.js'
import { NoticesModule } from '../notices/notices.module.js'
import { SecondFactorsModule } from '../second-factors/second-factors.module.js'
import { UsersModule } from '../users/users.module.js'
import { IdentitiesController } from './identities.controller.js'
import { IdentitiesRepository } from './identities.repository.js'
import { IdentitiesService } from './identities.service.js'
import { IdentityUnlinkingService } from './identity-unlinking.service.js'
import { UnlinkedIdentityService } from './unlinked-identity.service.js'

@Module({
  imports: [IdentityProvidersModule, NoticesModule, ProviderDirectoryModule, SecondFactorsModule, UsersModule],
  controllers: [IdentitiesController],
  providers: [IdentitiesRepository, IdentitiesService, IdentityUnlinkingService, UnlinkedIdentityService],
})
export class IdentitiesModule {}
