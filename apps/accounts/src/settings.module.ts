import { type DynamicModule, Module } from '@nestjs/common'
import type { AccountsEnv } from './env.js'

/** `@Inject(ENV) env: AccountsEnv` injects the settings. */
export const ENV = Symbol('ENV')

/** Provides the settings to every feature. */
@Module({})
export class SettingsModule {
  static forRoot(env: AccountsEnv): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: ENV, useValue: env }],
      exports: [ENV],
    }
  }
}
