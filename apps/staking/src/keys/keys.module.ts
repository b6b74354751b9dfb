import { Module } from '@nestjs/common'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { KeyForge } from './key-forge.service.js'
import { KeySealer } from './key-sealer.js'
import { LocalKeySealer } from './local-key-sealer.js'

const sealer = {
  provide: KeySealer,
  inject: [ENV],
  useFactory: ({ KEY_ENCRYPTION_KEYS }: StakingEnv) => new LocalKeySealer(KEY_ENCRYPTION_KEYS.map((key) => Buffer.from(key, 'base64'))),
}

/** The keys of validators: made, sealed, and used where a signer cannot. */
@Module({ providers: [sealer, KeyForge], exports: [KeyForge] })
export class KeysModule {}
