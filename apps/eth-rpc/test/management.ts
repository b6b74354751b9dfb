import type { DynamicModule } from '@nestjs/common'
import { AuthModule } from '@trestle/auth/auth.module'
import { startAccountsStandIn } from '@trestle/auth/test/accounts-stand-in'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { connectMessaging, MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { testNats } from '@trestle/testing/nats'
import { freshDatabase } from '@trestle/testing/postgres'
import { UsageModule } from '@trestle/usage/usage.module'
import { Pool } from 'pg'
import { databaseModule } from '../src/database.module.js'
import { type EthRpcEnv, readEnv } from '../src/env.js'
import { FailuresModule } from '../src/failures/failures.module.js'
import { ProjectsModule } from '../src/projects/projects.module.js'
import { SettingsModule } from '../src/settings.module.js'
import { UpstreamClientsService } from '../src/upstreams/upstream-clients.service.js'
import { PROJECT_USAGE } from '../src/usage/project-usage.js'
import { ProjectUsageModule } from '../src/usage/project-usage.module.js'
import { ETH_RPC_MIGRATIONS } from './eth-rpc-schema.js'

/** A database, a NATS and accounts of a deployment's own, and the environment that leads it there. */
export async function startSurroundings() {
  const [database, nats] = await Promise.all([freshDatabase({ schema: 'eth', migrations: ETH_RPC_MIGRATIONS }), testNats()])
  const accounts = await startAccountsStandIn(nats)
  const environment: Record<string, string> = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    BASE_PATH: '/eth',
    PUBLIC_URL: 'https://trestle.test',
    DATABASE_URL: database.url,
    ...nats.env('eth'),
    CHAIN: 'eth',
    MAX_PER_SECOND: '1000000',
    MAX_PER_DAY: '100000000000',
    SOCKETS_PER_ADDRESS: '5000',
  }
  return { database, nats, accounts, environment }
}

/** Projects, limits and usage as they run in a deployment, without a chain, with a database and a NATS of their own. */
export async function startManagement(settings: Record<string, string> = {}) {
  const { database, nats, accounts, environment } = await startSurroundings()
  const env = readEnv({ ...environment, UPSTREAMS: 'http://127.0.0.1:1', ...settings })
  const service = await boot(env)
  const sql = new Pool({ connectionString: database.url, max: 2 })
  return {
    service,
    accounts,
    nats,
    database,
    /** The deployment's own tables. */
    sql,
    /** Somebody with an account, and what that person does. */
    user: () => userOf(service, accounts.issuer.account()),
    client: () => userOf(service, accounts.issuer.client()),
    /** Another process on the same database and NATS. */
    replica: (more: Partial<EthRpcEnv> = {}) => boot({ ...env, ...more }),
    async stop() {
      await sql.end()
      await service.stop()
      await accounts.stop()
      await nats.stop()
      await database.drop()
    },
  }
}
export type Management = Awaited<ReturnType<typeof startManagement>>

export function callManagement({ url }: RunningService, method: string, path: string, sent: { token?: string; body?: unknown } = {}) {
  return callJson(`${url}${path}`, { method, ...sent })
}

function userOf(service: RunningService, token: string) {
  return (method: string, path: string, body?: unknown) => callManagement(service, method, path, { token, body })
}

async function boot(env: EthRpcEnv): Promise<RunningService> {
  class ManagementRoot {}
  class UpstreamsRoot {}
  const module: DynamicModule = {
    module: ManagementRoot,
    imports: [
      SettingsModule.forRoot(env),
      databaseModule(env),
      MessagingModule.forRoot({ service: env.CHAIN, ...natsOptions(env), schema: env.CHAIN }),
      AuthModule.forRoot({ area: 'eth-rpc', issuer: `${env.PUBLIC_URL}/accounts` }),
      // A project's quorum is held to their number.
      { module: UpstreamsRoot, global: true, providers: [UpstreamClientsService], exports: [UpstreamClientsService] },
      ProjectsModule,
      UsageModule.forRoot({ ...PROJECT_USAGE, service: env.DEPLOYMENT }),
      ProjectUsageModule,
      FailuresModule,
    ],
  }
  const service = await bootService(module, { name: env.CHAIN, version: '0', env, endpoints: ethRpc, prepare: connectMessaging })
  await eventually(async () => (await fetch(`${service.internalUrl}/readyz`)).ok || undefined, 'the service is ready')
  return service
}
