import { Module } from '@nestjs/common'
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js'
import { DiscoveryConsumer } from './discovery.consumer.js'
import { DiscoveryController } from './discovery.controller.js'

@Module({ imports: [SigningKeysModule], controllers: [DiscoveryConsumer, DiscoveryController] })
export class DiscoveryModule {}
