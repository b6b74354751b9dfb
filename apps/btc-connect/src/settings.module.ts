import { chainRules } from '@trestle/bitcoin/chain-rules'
import { settingsModule } from '@trestle/runtime/settings'
import type { BtcConnectEnv } from './env.js'

/** Injects the rules of the chain that is served: `@Inject(RULES) rules: ChainRules`. */
export const RULES = Symbol('RULES')

export const { ENV, SettingsModule } = settingsModule<BtcConnectEnv>(({ CHAIN, NETWORK }) => [
  { provide: RULES, useValue: chainRules(CHAIN, NETWORK) },
])
