import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startAccountsStandIn } from '@trestle/auth/test/accounts-stand-in'
import { findDaemon } from '@trestle/devnet/chains/daemon'
import { findAnvil } from '@trestle/devnet/ethereum/anvil'
import { freePorts } from '@trestle/devnet/ports'
import type { RunningService } from '@trestle/runtime/boot-service'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { testNats } from '@trestle/testing/nats'
import { freshDatabase } from '@trestle/testing/postgres'
import { Pool } from 'pg'
import { readEnv } from '../src/env.js'
import { startNodes } from '../src/service.js'

export const NODES_MIGRATIONS = fileURLToPath(new URL('../../../prisma/nodes/migrations', import.meta.url))

/** How long is waited for real programs. */
export const PATIENCE_MS = 50_000

export type NodesUser = ReturnType<NodesUnderTest['user']>

/** The whole service with the local driver, real programs, Postgres, NATS, and accounts' stand-in. */
export async function startNodesUnderTest(settings: Record<string, string> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'nodes-'))
  const [database, nats, litecoind, bitcoind, [port = 0]] = await Promise.all([
    freshDatabase({ schema: 'nodes', migrations: NODES_MIGRATIONS }),
    testNats(),
    findDaemon('litecoind'),
    findDaemon('bitcoind'),
    freePorts(1),
  ])
  const accounts = await startAccountsStandIn(nats)
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_URL: 'https://trestle.test',
    BASE_PATH: '/nodes',
    DATABASE_URL: database.url,
    ...nats.env('nodes'),
    KEY_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: join(dir, 'machines'),
    INSTALLATION: `test-${randomUUID().slice(0, 8)}`,
    // The ports after a free one are as good a guess as any; what is taken is told, and not asked for.
    NODE_PORTS: `${Math.min(port, 64_000)}-${Math.min(port, 64_000) + 200}`,
    LITECOIND: litecoind.command,
    BITCOIND: bitcoind.command,
    ANVIL: findAnvil(),
    RECONCILE_MS: '2000',
    BIN_HOURS: '0',
    ...settings,
  }
  const boot = async (more: Record<string, string> = {}) => ready(await startNodes(readEnv({ ...environment, ...more })))
  let service = await boot()
  const sql = new Pool({ connectionString: database.url, max: 2 })
  return {
    accounts,
    database,
    nats,
    sql,
    dir,
    environment,
    service: () => service,
    replica: boot,
    /** Another process would do the same. */
    async restart() {
      await service.stop()
      service = await boot()
    },
    /** Somebody with an account, who calls the API. */
    user() {
      const userId = `user-${randomUUID()}`
      const token = accounts.issuer.account({ payload: { sub: userId } })
      const clientToken = accounts.issuer.client({ payload: { sub: userId } })
      const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        callJson(`${service.url}/nodes${path}`, { method, body, headers: { authorization: `Bearer ${token}`, ...headers } })
      return Object.assign(call, { userId, token, clientToken })
    },
    /** Calls a node or a cluster through the gateway. */
    rpc(id: string, authorization: string | undefined, body: unknown, gateway = service) {
      return callJson(`${gateway.url}/nodes/rpc/${id}`, { method: 'POST', body, headers: authorization ? { authorization } : {} })
    },
    async stop() {
      await removeAll(sql)
      await sql.end()
      await service.stop()
      await accounts.stop()
      await nats.stop()
      await database.drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
export type NodesUnderTest = Awaited<ReturnType<typeof startNodesUnderTest>>

export function nodeAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

async function ready(service: RunningService): Promise<RunningService> {
  await eventually(async () => (await fetch(`${service.internalUrl}/readyz`)).ok || undefined, 'the service is ready', PATIENCE_MS)
  return service
}

/** The processes of a machine: those whose command line names it. */
export function pidsOf(id: string): number[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(id))
    .map(Number)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Machines outlive services, tests included: they are removed as their owners would. */
async function removeAll(sql: Pool): Promise<void> {
  await sql.query(
    "UPDATE workload SET desired_state = 'removed', removed_at = coalesce(removed_at, now()), purge_at = NULL, reconcile_at = now()",
  )
  await eventually(
    async () => {
      const { rows } = await sql.query<{ count: number }>('SELECT count(*)::int AS count FROM workload WHERE gone_at IS NULL')
      return rows[0]?.count === 0 || undefined
    },
    'all machines are gone',
    PATIENCE_MS,
  )
}
