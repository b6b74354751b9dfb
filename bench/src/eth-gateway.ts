import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { freePorts } from '@trestle/devnet/ports'
import { startProgram } from '@trestle/devnet/programs'
import type { Platform } from './platform.ts'
import { type Rival, startRival } from './process.ts'

const SCHEMA = 'eth'
const MIGRATIONS = new URL('../../prisma/eth-rpc/migrations', import.meta.url).pathname
// More than anybody can call in a benchmark: limits are counted, and never reached.
const LIMITS = { perSecond: 1_000_000_000, perDay: 1_000_000_000_000_000 }

export interface StubNode extends Rival {
  ask<T>(method: string): Promise<T>
}

/** A node whose answers cost next to nothing. */
export async function startStubNode(): Promise<StubNode> {
  const stub = await startRival('./stub-node.ts')
  async function ask<T>(method: string): Promise<T> {
    const answer = await fetch(stub.url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }) })
    return ((await answer.json()) as { result: T }).result
  }
  return { ...stub, ask }
}

export interface EthGateway extends Rival {
  readonly internalUrl: string
  /** The path of a new project. */
  project(settings?: object): Promise<string>
}

/** One process of eth-rpc in front of this node, beside the other services of the platform. */
export async function startEthGateway(platform: Platform, node: Rival, settings: Record<string, string> = {}): Promise<EthGateway> {
  const { info, dataDir } = platform
  const databaseUrl = Object.assign(new URL(info.postgres), {
    username: `trestle_${SCHEMA}`,
    password: randomBytes(18).toString('hex'),
  }).href
  await provision({ adminUrl: info.postgres, url: databaseUrl, schema: SCHEMA })
  await migrate({ url: databaseUrl, schema: SCHEMA, folder: MIGRATIONS })
  const [port, internal] = await freePorts(2)
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_PORT: String(internal),
    PUBLIC_URL: info.ingress,
    DATABASE_URL: databaseUrl,
    NATS_URL: info.nats,
    ACCOUNTS_INTERNAL_URL: info.services.accounts?.internalUrl ?? '',
    CHAIN: 'eth',
    UPSTREAMS: `stub=${node.url}+${node.url.replace('http', 'ws')}`,
    WORKERS: '1',
    MAX_PER_SECOND: String(LIMITS.perSecond),
    MAX_PER_DAY: String(LIMITS.perDay),
    ...settings,
  }
  const running = await startProgram(SCHEMA, { app: 'eth-rpc', env, log: join(dataDir, 'logs', `${SCHEMA}.log`) })
  const url = `http://127.0.0.1:${port}`
  async function project(chosen: object = {}): Promise<string> {
    const headers = { authorization: `Bearer ${await platform.signIn()}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'bench', limits: LIMITS, ...chosen })
    const answer = await fetch(`${url}/projects`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`no project: ${await answer.text()}`)
    return `/v1/${((await answer.json()) as { id: string }).id}`
  }
  return { url, internalUrl: `http://127.0.0.1:${internal}`, pid: running.pid, project, stop: () => running.stop() }
}
