import { accounts } from '@trestle/contracts/accounts/api'
import { connectMessaging } from '@trestle/messaging/messaging.module'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { versionOf } from '@trestle/runtime/package-version'
import { AppModule } from './app.module.js'
import type { AccountsEnv } from './env.js'

// The largest of its bodies has less than 8 KiB, and parsing more would cost anonymous callers nothing.
const MAX_BODY_BYTES = 16 * 1024

/** Starts the accounts service; for `main.ts` and the tests. */
export function startAccounts(env: AccountsEnv): Promise<RunningService> {
  const version = versionOf(import.meta.url)
  return bootService(AppModule.forRoot(env), {
    name: 'accounts',
    version,
    env,
    endpoints: accounts,
    maxBodyBytes: MAX_BODY_BYTES,
    prepare: connectMessaging,
  })
}
