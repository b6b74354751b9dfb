import { type DynamicModule, Module } from '@nestjs/common'
import type { AccountsEnv } from './env.js'

/** Injects the settings that `env.ts` has read: `@Inject(ENV) env: AccountsEnv`. */
export const ENV = Symbol('ENV')

/** What every feature may ask for: the settings. */
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
