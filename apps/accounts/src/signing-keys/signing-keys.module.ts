import { Module } from '@nestjs/common'
import { OwnKeys } from './own-keys.service.js'
import { SigningKeysJob } from './signing-keys.job.js'
import { SigningKeysRepository } from './signing-keys.repository.js'
import { SigningKeysService } from './signing-keys.service.js'

@Module({
  providers: [OwnKeys, SigningKeysRepository, SigningKeysService, SigningKeysJob],
  exports: [OwnKeys, SigningKeysService],
})
export class SigningKeysModule {}
