import { Module } from '@nestjs/common'
import { OwnKeysService } from './own-keys.service.js'
import { SigningKeysJob } from './signing-keys.job.js'
import { SigningKeysRepository } from './signing-keys.repository.js'
import { SigningKeysService } from './signing-keys.service.js'

@Module({
  providers: [OwnKeysService, SigningKeysRepository, SigningKeysService, SigningKeysJob],
  exports: [OwnKeysService, SigningKeysService],
})
export class SigningKeysModule {}
