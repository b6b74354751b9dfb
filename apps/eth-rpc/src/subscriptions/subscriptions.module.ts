import { Module } from '@nestjs/common'
import { SubscriptionRegistry } from './subscription-registry.engine.js'

/** `eth_subscribe`. */
@Module({ providers: [SubscriptionRegistry], exports: [SubscriptionRegistry] })
export class SubscriptionsModule {}
