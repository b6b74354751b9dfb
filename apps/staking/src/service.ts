import { staking } from '@trestle/contracts/staking/api'
import { connectMessaging } from '@trestle/messaging/messaging.module'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { versionOf } from '@trestle/runtime/package-version'
import { AppModule } from './app.module.js'
import type { StakingEnv } from './env.js'

/** Starts the service with these settings, for `main.ts` and for tests. */
export function startStaking(env: StakingEnv): Promise<RunningService> {
  // A worker serves its health only.
  const endpoints = env.ROLE === 'worker' ? {} : staking
  return bootService(AppModule.forRoot(env), {
    name: 'staking',
    version: versionOf(import.meta.url),
    env,
    endpoints,
    ownPrefix: '/staking',
    prepare: connectMessaging,
  })
}
