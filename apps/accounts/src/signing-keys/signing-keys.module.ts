import { Module } from '@nestjs/common'
import { JobsModule } from '../jobs.js'
import { OwnKeys } from './own-keys.service.js'
import { SigningKeysJob } from './signing-keys.job.js'
import { SigningKeysRepository } from './signing-keys.repository.js'
import { SigningKeysService } from './signing-keys.service.js'

@Module({
  imports: [JobsModule],
  providers: [OwnKeys, SigningKeysRepository, SigningKeysService, SigningKeysJob],
  exports: [OwnKeys, SigningKeysService],
})
export class SigningKeysModule {}
