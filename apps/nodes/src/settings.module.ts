import { type DynamicModule, Module } from '@nestjs/common'
import type { NodesEnv } from './env.js'

/** Injects the settings that `env.ts` has read: `@Inject(ENV) env: NodesEnv`. */
export const ENV = Symbol('ENV')

/** What every feature may ask for: the settings. */
@Module({})
export class SettingsModule {
  static forRoot(env: NodesEnv): DynamicModule {
    return { module: SettingsModule, global: true, providers: [{ provide: ENV, useValue: env }], exports: [ENV] }
  }
}
