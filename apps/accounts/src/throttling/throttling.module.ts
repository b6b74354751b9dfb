import { Module } from '@nestjs/common'
import { AttemptsRepository } from './attempts.repository.js'
import { KnownNetworksRepository } from './known-networks.repository.js'
import { ThrottlingService } from './throttling.service.js'

@Module({ providers: [AttemptsRepository, KnownNetworksRepository, ThrottlingService], exports: [ThrottlingService] })
export class ThrottlingModule {}
