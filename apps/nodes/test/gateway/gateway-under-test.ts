import { hash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DynamicModule } from '@nestjs/common'
import { AuthModule } from '@trestle/auth/auth.module'
import { startAccountsStandIn } from '@trestle/auth/test/accounts-stand-in'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { workloadUsage } from '@trestle/contracts/nodes/usage'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { connectMessaging, MessagingModule } from '@trestle/messaging/messaging.module'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { bootService } from '@trestle/runtime/boot-service'
import { callJson, type JsonReply } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { testNats } from '@trestle/testing/nats'
import { freshDatabase } from '@trestle/testing/postgres'
import { UsageModule } from '@trestle/usage/usage.module'
import { Pool } from 'pg'
import { databaseModule } from '../../src/database.module.js'
import { readEnv } from '../../src/env.js'
import { CallBounds } from '../../src/gateway/call-bounds.js'
import { GatewayModule, openGateway } from '../../src/gateway/gateway.module.js'
import { NodeSealerService } from '../../src/sealing/node-sealer.service.js'
import { SealingModule } from '../../src/sealing/sealing.module.js'
import { SettingsModule } from '../../src/settings.module.js'
import { UsageReportsModule } from '../../src/usage/usage-reports.module.js'
import { WORKLOAD_USAGE } from '../../src/usage/workload-usage.js'

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/nodes/migrations', import.meta.url))

/** A machine that there is, at an address of 127.0.0.1 unless told otherwise. */
interface TestMachine {
  readonly url: string
  readonly password?: string
  readonly phase?: string
  readonly height?: number
  readonly draining?: boolean
  readonly conditions?: readonly object[]
}

interface Wish {
  readonly chain?: string
  readonly network?: string
  readonly authType?: 'basic' | 'jwt' | 'none'
  readonly userId?: string
  readonly allowedIps?: readonly string[]
  readonly port?: number
  readonly password?: string
}

/** A workload as its owner sees it. */
export interface Held {
  readonly id: string
  readonly url: string
  readonly user: string
  readonly password: string
  /** The header of its credentials. */
  readonly authorization: string
  readonly machines: readonly string[]
}

/** The gateway and the reports of what it counted, on a database, a NATS and accounts of their own; rows are written as the reconciler would. */
export async function startGateway() {
  const [database, nats] = await Promise.all([freshDatabase({ schema: 'nodes', migrations: MIGRATIONS }), testNats()])
  const accounts = await startAccountsStandIn(nats)
  const env = readEnv({
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    BASE_PATH: '/nodes',
    PUBLIC_URL: 'https://trestle.test',
    DATABASE_URL: database.url,
    ...nats.env('nodes'),
    KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  })
  class GatewayRoot {}
  const module: DynamicModule = {
    module: GatewayRoot,
    imports: [
      SettingsModule.forRoot(env),
      SealingModule,
      databaseModule(env),
      MessagingModule.forRoot({ service: 'nodes', ...natsOptions(env), schema: 'nodes' }),
      AuthModule.forRoot({ area: 'nodes', issuer: `${env.PUBLIC_URL}/accounts` }),
      UsageModule.forRoot(WORKLOAD_USAGE),
      GatewayModule,
      UsageReportsModule,
    ],
  }
  const service = await bootService(module, {
    name: 'nodes',
    version: '0',
    env,
    endpoints: { usage: workloadUsage },
    async prepare(app) {
      await connectMessaging(app)
      openGateway(app)
    },
  })
  await eventually(async () => (await fetch(`${service.internalUrl}/readyz`)).ok || undefined, 'the gateway is ready')
  const sql = new Pool({ connectionString: database.url, max: 2 })
  const { app } = service
  const sealer = app.get(NodeSealerService)

  async function add(kind: 'node' | 'cluster', machines: readonly TestMachine[], wish: Wish = {}): Promise<Held> {
    const { chain = 'eth', network = 'dev', authType = 'basic', userId = `user-${randomUUID()}`, allowedIps = [], port } = wish
    const id = `${kind}-${randomUUID()}`
    // With a letter that has another case.
    const user = `u${randomBytes(9).toString('base64url')}`
    const password = wish.password ?? randomBytes(24).toString('base64url')
    await sql.query(
      `INSERT INTO workload (id, kind, user_id, blueprint, capacity, auth_type, auth_user, sealed_password, credentials_digest, allowed_ips, port,
                            created_at, updated_at, expires_at, reconcile_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now(), now(), now() + interval '1 day', now())`,
      [
        id,
        kind,
        userId,
        { chain, network },
        kind === 'node' ? 1 : Math.max(machines.length, 2),
        authType,
        user,
        Buffer.from('x'),
        digestOf(user, password),
        allowedIps,
        port,
      ],
    )
    const members: string[] = []
    for (const machine of machines) members.push(await addMachine(id, machine))
    await told(id)
    const authorization = basic(user, password)
    return { id, url: `${service.url}/nodes/rpc/${id}`, user, password, authorization, machines: members }
  }

  async function addMachine(workload: string, machine: TestMachine): Promise<string> {
    const id = `node-${randomUUID()}`
    const { hostname, port } = new URL(machine.url)
    const { password = 'secret', phase = 'ready', height = 0, draining = false, conditions = [] } = machine
    await sql.query(
      `INSERT INTO workload_machine (id, workload_id, blueprint, sealed_password, created_at, phase, conditions, host, port, height, draining_since)
       VALUES ($1, $2, '{}', $3, now(), $4, $5, $6, $7, $8, $9)`,
      [
        id,
        workload,
        sealer.seal(password, id),
        phase,
        JSON.stringify(conditions),
        hostname.replace(/[[\]]/g, ''),
        port,
        height,
        draining ? new Date() : null,
      ],
    )
    return id
  }

  /** Something has changed; the gateway has heard of it once this settles. */
  async function told(id: string): Promise<void> {
    app.get(Broadcasts).publish(nodeChanged, { id })
    await delay(50)
  }

  return {
    service,
    accounts,
    nats,
    sql,
    told,
    bounds: app.get(CallBounds),
    node: (machine: TestMachine, wish?: Wish) => add('node', [machine], wish),
    cluster: (machines: readonly TestMachine[], wish?: Wish) => add('cluster', machines, wish),
    addMachine,
    async change(id: string, set: string, ...values: unknown[]) {
      await sql.query(`UPDATE workload SET ${set} WHERE id = $1`, [id, ...values])
      await told(id)
    },
    async stop() {
      await sql.end()
      await service.stop()
      await accounts.stop()
      await nats.stop()
      await database.drop()
    },
  }
}
export type GatewayUnderTest = Awaited<ReturnType<typeof startGateway>>

export function digestOf(user: string, password: string): Buffer {
  return hash('sha256', `${user}:${password}`, 'buffer')
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Sends this body as it is. */
export function postToGateway(url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<JsonReply> {
  return callJson(url, { method: 'POST', body, headers })
}

/** A call with the credentials of the workload. */
export function callMachine(
  { url, authorization }: Pick<Held, 'url' | 'authorization'>,
  method: string,
  ...params: unknown[]
): Promise<JsonReply> {
  return postToGateway(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), { authorization })
}
