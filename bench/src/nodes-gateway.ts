import { hash, randomBytes, randomUUID } from 'node:crypto'
import { Sealer } from '@trestle/runtime/sealing'
import pg from 'pg'
import type { BenchPlatform } from './platform.ts'
import type { BenchProcess } from './process.ts'
import { createSchema, startBuiltService } from './service.ts'

interface NodesGateway extends BenchProcess {
  /** Adds a node at this address; returns its path and the header with its credentials. */
  node(machine: BenchProcess, authType: 'basic' | 'jwt'): Promise<{ path: string; authorization: string }>
}

/** One process of the nodes service with the role gateway, beside the other services of the platform; its rows are those that the reconciler would write. */
export async function startNodesGateway(platform: BenchPlatform): Promise<NodesGateway> {
  const databaseUrl = await createSchema(platform, 'nodes', 'nodes')
  const key = randomBytes(32)
  const settings = { DATABASE_URL: databaseUrl, ROLE: 'gateway', KEY_ENCRYPTION_KEYS: key.toString('base64') }
  const service = await startBuiltService(platform, { app: 'nodes', name: 'nodes', settings })
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 1 })

  async function node(machine: BenchProcess, authType: 'basic' | 'jwt') {
    const id = `node-${randomUUID()}`
    const [user, password] = [randomBytes(9).toString('hex'), randomBytes(18).toString('hex')]
    const digest = hash('sha256', `${user}:${password}`, 'buffer')
    const { hostname, port: at } = new URL(machine.url)
    await sql.query(
      `INSERT INTO workload (id, kind, user_id, blueprint, capacity, auth_type, auth_user, sealed_password, credentials_digest,
                            created_at, updated_at, expires_at, reconcile_at)
       VALUES ($1, 'node', $2, '{"chain":"eth","network":"mainnet"}', 1, $3, $4, '', $5, now(), now(), now() + interval '1 day', now())`,
      [id, platform.info.demo.userId, authType, user, digest],
    )
    const sealed = new Sealer([key]).seal('secret', Buffer.from(id))
    await sql.query(
      `INSERT INTO workload_machine (id, workload_id, blueprint, sealed_password, created_at, phase, host, port) VALUES ($1, $1, '{}', $2, now(), 'ready', $3, $4)`,
      [id, sealed, hostname, at],
    )
    const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    return { path: `/rpc/${id}`, authorization: authType === 'basic' ? basic : `Bearer ${await platform.signIn()}` }
  }
  async function stop() {
    await sql.end()
    await service.stop()
  }
  return { ...service, node, stop }
}
