import { Module } from '@nestjs/common'
import { WakeUps } from './wake-ups.service.js'

@Module({ providers: [WakeUps], exports: [WakeUps] })
export class WakeUpsModule {}
