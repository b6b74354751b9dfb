import { accounts } from '@trestle/contracts/accounts/api'
import { connectMessaging } from '@trestle/messaging/messaging.module'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { versionOf } from '@trestle/runtime/package-version'
import { AppModule } from './app.module.js'
import type { AccountsEnv } from './env.js'

/** Starts the accounts service; for `main.ts` and the tests. */
export function startAccounts(env: AccountsEnv): Promise<RunningService> {
  const version = versionOf(import.meta.url)
  return bootService(AppModule.forRoot(env), { name: 'accounts', version, env, endpoints: accounts, prepare: connectMessaging })
}
