import { Module } from '@nestjs/common'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { HashingService } from './hashing.service.js'
import { PasswordsService } from './passwords.service.js'

@Module({ imports: [ThrottlingModule], providers: [HashingService, PasswordsService], exports: [HashingService, PasswordsService] })
export class PasswordsModule {}
