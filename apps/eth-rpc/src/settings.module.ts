import { settingsModule } from '@trestle/runtime/settings'
import type { EthRpcEnv } from './env.js'

export const { ENV, SettingsModule } = settingsModule<EthRpcEnv>()
