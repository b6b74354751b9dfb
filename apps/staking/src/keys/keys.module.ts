import { Module } from '@nestjs/common'
import { Sealer } from '@trestle/runtime/sealing'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { KeyGenerator } from './key-generator.engine.js'
import { KeySealer } from './key-sealer.js'

const sealer = {
  provide: KeySealer,
  inject: [ENV],
  useFactory: ({ KEY_ENCRYPTION_KEYS }: StakingEnv) => new Sealer(KEY_ENCRYPTION_KEYS),
}

/** Creates and seals the keys of validators, and signs exits that a signer cannot. */
@Module({ providers: [sealer, KeyGenerator], exports: [KeyGenerator] })
export class KeysModule {}
