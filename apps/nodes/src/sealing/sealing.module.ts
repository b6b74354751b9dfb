import { Global, Module } from '@nestjs/common'
import { NodeSealerService } from './node-sealer.service.js'

/** Sealing of passwords, for every feature. */
@Global()
@Module({ providers: [NodeSealerService], exports: [NodeSealerService] })
export class SealingModule {}
