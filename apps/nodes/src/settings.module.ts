import { settingsModule } from '@trestle/runtime/settings'
import type { NodesEnv } from './env.js'

export const { ENV, SettingsModule } = settingsModule<NodesEnv>()
