import { Module } from '@nestjs/common'
import { RevocationsModule } from '../revocations/revocations.module.js'
import { ClientAuthentication } from './client-authentication.service.js'
import { ClientKeysController } from './client-keys.controller.js'
import { ClientKeysRepository } from './client-keys.repository.js'
import { ClientKeysService } from './client-keys.service.js'
import { KeyUse } from './key-use.service.js'
import { LiveClientsRepository } from './live-clients.repository.js'

@Module({
  imports: [RevocationsModule],
  controllers: [ClientKeysController],
  providers: [ClientAuthentication, ClientKeysRepository, ClientKeysService, KeyUse, LiveClientsRepository],
  exports: [ClientAuthentication],
})
export class ClientKeysModule {}
