import { nodesArea } from '@trestle/contracts/nodes/api'
import { connectMessaging } from '@trestle/messaging/messaging.module'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { versionOf } from '@trestle/runtime/package-version'
import { AppModule } from './app.module.js'
import type { NodesEnv } from './env.js'
import { openGateway } from './gateway/gateway.module.js'

/** Starts the service, for `main.ts` and for tests. */
export function startNodes(env: NodesEnv): Promise<RunningService> {
  // The controller and the gateway serve no endpoints of the API.
  const endpoints = env.ROLE === 'all' || env.ROLE === 'api' ? nodesArea : {}
  return bootService(AppModule.forRoot(env), {
    name: 'nodes',
    version: versionOf(import.meta.url),
    env,
    endpoints,
    async prepare(app) {
      await connectMessaging(app)
      openGateway(app)
    },
  })
}
