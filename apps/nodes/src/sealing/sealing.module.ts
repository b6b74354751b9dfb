import { Global, Module } from '@nestjs/common'
import { NodeSealerService } from './node-sealer.service.js'

/** What every feature with a password needs. */
@Global()
@Module({ providers: [NodeSealerService], exports: [NodeSealerService] })
export class SealingModule {}
