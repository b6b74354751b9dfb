import { Module } from '@nestjs/common'
import { SubscriptionRegistry } from './subscription-registry.engine.js'

/** What is told to those who asked to be told. */
@Module({ providers: [SubscriptionRegistry], exports: [SubscriptionRegistry] })
export class SubscriptionsModule {}
