import { settingsModule } from '@trestle/runtime/settings'
import type { AccountsEnv } from './env.js'

export const { ENV, SettingsModule } = settingsModule<AccountsEnv>()
