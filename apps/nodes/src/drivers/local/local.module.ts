import { Module } from '@nestjs/common'
import type { NodesEnv } from '../../env.js'
import { ENV } from '../../settings.module.js'
import { NodeDriver } from '../driver.js'
import { LocalDriver } from './local-driver.engine.js'
import { localSettings } from './local-settings.js'

@Module({
  providers: [{ provide: NodeDriver, useFactory: (env: NodesEnv) => new LocalDriver(localSettings(env)), inject: [ENV] }],
  exports: [NodeDriver],
})
export class LocalModule {}
