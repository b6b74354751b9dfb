import { accounts } from '@trestle/contracts/accounts/api'
import { connectMessaging } from '@trestle/messaging/messaging.module'
import type { Problem } from '@trestle/problem/problem'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { versionOf } from '@trestle/runtime/package-version'
import type { FastifyRequest } from 'fastify'
import { AppModule } from './app.module.js'
import type { AccountsEnv } from './env.js'
import { oauthBody } from './tokens/oauth-error.js'

// The largest of its bodies has less than 8 KiB, and parsing more would cost anonymous callers nothing.
const MAX_BODY_BYTES = 16 * 1024

/** What is refused before the endpoints of OAuth are reached, such as a body that is too large, has the form of their other errors. */
function oauthForm(problem: Problem, { id, routeOptions }: FastifyRequest) {
  const { endpoint } = routeOptions.config
  return endpoint?.path.startsWith('/oauth2/') ? { type: 'application/json', body: oauthBody(problem, id) } : undefined
}

/** Starts the accounts service; for `main.ts` and the tests. */
export function startAccounts(env: AccountsEnv): Promise<RunningService> {
  const version = versionOf(import.meta.url)
  return bootService(AppModule.forRoot(env), {
    name: 'accounts',
    version,
    env,
    endpoints: accounts,
    maxBodyBytes: MAX_BODY_BYTES,
    prepare: async (app) => {
      app.getHttpAdapter().getInstance().decorate('problemForm', oauthForm)
      await connectMessaging(app)
    },
  })
}
