import { Global, Module } from '@nestjs/common'
import { NodeSealer } from './node-sealer.service.js'

/** What every feature with a password needs. */
@Global()
@Module({ providers: [NodeSealer], exports: [NodeSealer] })
export class SealingModule {}
