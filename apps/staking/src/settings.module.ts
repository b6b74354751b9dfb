import { settingsModule } from '@trestle/runtime/settings'
import type { StakingEnv } from './env.js'

export const { ENV, SettingsModule } = settingsModule<StakingEnv>()
