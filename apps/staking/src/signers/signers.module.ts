import { Module } from '@nestjs/common'
import { SignersService } from './signers.service.js'

/** The signers of all regions. */
@Module({ providers: [SignersService], exports: [SignersService] })
export class SignersModule {}
