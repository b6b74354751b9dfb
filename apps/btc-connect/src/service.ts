import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import { connectMessaging } from '@trestle/messaging/messaging.module'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { compressResponses } from '@trestle/runtime/compression'
import { allowAllOrigins } from '@trestle/runtime/cors'
import { tagResponses } from '@trestle/runtime/entity-tags'
import { versionOf } from '@trestle/runtime/package-version'
import { AppModule } from './app.module.js'
import { withVersion } from './edge/alias.js'
import { insightForm } from './edge/problem-form.js'
import type { BtcConnectEnv } from './env.js'

/** Starts the deployment of one chain; for `main.ts` and the tests. */
export function startBtcConnect(env: BtcConnectEnv): Promise<RunningService> {
  // An indexer serves its health only.
  const endpoints = env.ROLE === 'indexer' ? {} : btcConnect
  const version = versionOf(import.meta.url)
  return bootService(AppModule.forRoot(env), { name: env.DEPLOYMENT, version, env, endpoints, alias: withVersion, prepare })
}

async function prepare(app: NestFastifyApplication): Promise<void> {
  shapeAnswers(app)
  await connectMessaging(app)
}

/** What all responses of this area have in common. */
export function shapeAnswers(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance()
  fastify.decorate('problemForm', insightForm)
  allowAllOrigins(fastify)
  tagResponses(fastify)
  compressResponses(fastify)
}
