import { Module } from '@nestjs/common'
import { CompromisedKeysService } from './compromised-keys.service.js'
import { OwnKeysService } from './own-keys.service.js'
import { SigningKeysJob } from './signing-keys.job.js'
import { SigningKeysRepository } from './signing-keys.repository.js'
import { SigningKeysService } from './signing-keys.service.js'

@Module({
  providers: [CompromisedKeysService, OwnKeysService, SigningKeysRepository, SigningKeysService, SigningKeysJob],
  exports: [CompromisedKeysService, OwnKeysService, SigningKeysService],
})
export class SigningKeysModule {}
