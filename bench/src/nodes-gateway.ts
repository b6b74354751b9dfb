import { hash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { freePorts } from '@trestle/devnet/ports'
import { startProgram } from '@trestle/devnet/programs'
import { Sealer } from '@trestle/runtime/sealing'
import pg from 'pg'
import type { Platform } from './platform.ts'
import type { Rival } from './process.ts'

const SCHEMA = 'nodes'
const MIGRATIONS = new URL('../../prisma/nodes/migrations', import.meta.url).pathname

export interface NodesGateway extends Rival {
  /** The path of a node that is at this address, and the header of its credentials. */
  node(machine: Rival, authType: 'basic' | 'jwt'): Promise<{ path: string; authorization: string }>
}

/** One process of the nodes service that is a gateway only, beside the other services of the platform; rows are written as the reconciler would. */
export async function startNodesGateway(platform: Platform): Promise<NodesGateway> {
  const { info, dataDir } = platform
  const account = { username: 'bench_nodes', password: randomBytes(18).toString('hex') }
  const databaseUrl = Object.assign(new URL(info.postgres), account).href
  await provision({ adminUrl: info.postgres, url: databaseUrl, schema: SCHEMA })
  await migrate({ url: databaseUrl, schema: SCHEMA, folder: MIGRATIONS })
  const [port, internal] = await freePorts(2)
  const key = randomBytes(32)
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_PORT: String(internal),
    PUBLIC_URL: info.ingress,
    DATABASE_URL: databaseUrl,
    NATS_URL: info.nats,
    ACCOUNTS_INTERNAL_URL: info.services.accounts?.internalUrl ?? '',
    ROLE: 'gateway',
    KEY_ENCRYPTION_KEYS: key.toString('base64'),
  }
  const running = await startProgram(SCHEMA, { app: 'nodes', env, log: join(dataDir, 'logs', `${SCHEMA}.log`) })
  const url = `http://127.0.0.1:${port}`
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 1 })

  async function node(machine: Rival, authType: 'basic' | 'jwt') {
    const id = `node-${randomUUID()}`
    const [user, password] = [randomBytes(9).toString('hex'), randomBytes(18).toString('hex')]
    const digest = hash('sha256', `${user}:${password}`, 'buffer')
    const { hostname, port: at } = new URL(machine.url)
    await sql.query(
      `INSERT INTO holding (id, kind, user_id, blueprint, capacity, auth_type, auth_user, sealed_password, credentials_digest,
                            created_at, updated_at, expires_at, look_at)
       VALUES ($1, 'node', $2, '{"chain":"eth","network":"mainnet"}', 1, $3, $4, '', $5, now(), now(), now() + interval '1 day', now())`,
      [id, info.demo.userId, authType, user, digest],
    )
    const sealed = new Sealer([key]).seal('secret', Buffer.from(id))
    await sql.query(
      `INSERT INTO machine (id, holding_id, blueprint, sealed_password, created_at, phase, host, port) VALUES ($1, $1, '{}', $2, now(), 'ready', $3, $4)`,
      [id, sealed, hostname, at],
    )
    const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    return { path: `/rpc/${id}`, authorization: authType === 'basic' ? basic : `Bearer ${await platform.signIn()}` }
  }
  async function stop() {
    await sql.end()
    await running.stop()
  }
  return { url, pid: running.pid, node, stop }
}
