import { Module } from '@nestjs/common'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { ProofOfWorkService } from './proof-of-work.service.js'

@Module({ imports: [ThrottlingModule], providers: [ProofOfWorkService], exports: [ProofOfWorkService] })
export class ProofOfWorkModule {}
