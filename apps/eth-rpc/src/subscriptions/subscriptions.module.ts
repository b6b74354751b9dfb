import { Module } from '@nestjs/common'
import { Hub } from './hub.service.js'

/** What is told to those who asked to be told. */
@Module({ providers: [Hub], exports: [Hub] })
export class SubscriptionsModule {}
