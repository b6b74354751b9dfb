import { type DynamicModule, Module } from '@nestjs/common'
import type { StakingEnv } from './env.js'

/** Injects the settings that `env.ts` has read: `@Inject(ENV) env: StakingEnv`. */
export const ENV = Symbol('ENV')

/** What every feature may ask for: the settings. */
@Module({})
export class SettingsModule {
  static forRoot(env: StakingEnv): DynamicModule {
    return { module: SettingsModule, global: true, providers: [{ provide: ENV, useValue: env }], exports: [ENV] }
  }
}
