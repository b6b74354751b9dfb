import { Module } from '@nestjs/common'
import { KeyEndingsRepository } from './key-endings.repository.js'
import { KeyEndingsService } from './key-endings.service.js'

/** Apart from the rest of the keys, which need the organizations that end them. */
@Module({ providers: [KeyEndingsRepository, KeyEndingsService], exports: [KeyEndingsService] })
export class KeyEndingsModule {}
