import cluster from 'node:cluster'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { connectMessaging } from '@trestle/messaging/messaging.module'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { versionOf } from '@trestle/runtime/package-version'
import { AppModule } from './app.module.js'
import type { EthRpcEnv } from './env.js'
import { openRpc } from './gateway/rpc.module.js'
import { HeadFloorJob } from './heads/head-floor.job.js'
import { rpcReference } from './methods/rpc-reference.js'

const VERSION = versionOf(import.meta.url)

/** Starts one chain's deployment, or one worker of it, with these settings; `main.ts` and the tests do it alike. */
export function startEthRpc(env: EthRpcEnv, { ownsProcess = true } = {}): Promise<RunningService> {
  return bootService(AppModule.forRoot(env), {
    name: env.DEPLOYMENT,
    version: VERSION,
    env,
    endpoints: ethRpc,
    reference: rpcReference(env.DEPLOYMENT, VERSION),
    isWorker: cluster.isWorker,
    ownsProcess,
    prepare,
  })
}

async function prepare(app: NestFastifyApplication): Promise<void> {
  openRpc(app)
  await connectMessaging(app)
  await app.init()
  await app.get(HeadFloorJob, { strict: false }).reached()
}
