import { type DynamicModule, Module } from '@nestjs/common'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import type { BtcConnectEnv } from './env.js'

/** Injects the settings that `env.ts` has read: `@Inject(ENV) env: BtcConnectEnv`. */
export const ENV = Symbol('ENV')

/** Injects the rules of the chain that is served: `@Inject(RULES) rules: ChainRules`. */
export const RULES = Symbol('RULES')

/** What every feature may ask for: the settings and the chain's rules. */
@Module({})
export class SettingsModule {
  static forRoot(env: BtcConnectEnv): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [
        { provide: ENV, useValue: env },
        { provide: RULES, useValue: chainRules(env.CHAIN, env.NETWORK) },
      ],
      exports: [ENV, RULES],
    }
  }
}
