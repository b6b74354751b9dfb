import { Module } from '@nestjs/common'
import { Signers } from './signers.service.js'

/** The signers of all regions. */
@Module({ providers: [Signers], exports: [Signers] })
export class SignersModule {}
