import type { Platform } from './platform.ts'
import { type Rival, startRival } from './process.ts'
import { createSchema, type Service, startService } from './service.ts'

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

export interface EthGateway extends Service {
  /** The path of a new project. */
  project(settings?: object): Promise<string>
}

/** One process of eth-rpc in front of this node, beside the other services of the platform. */
export async function startEthGateway(platform: Platform, node: Rival, settings: Record<string, string> = {}): Promise<EthGateway> {
  const env = {
    DATABASE_URL: await createSchema(platform, 'eth-rpc', 'eth'),
    CHAIN: 'eth',
    UPSTREAMS: `stub=${node.url}+${node.url.replace('http', 'ws')}`,
    WORKERS: '1',
    MAX_PER_SECOND: String(LIMITS.perSecond),
    MAX_PER_DAY: String(LIMITS.perDay),
    ...settings,
  }
  const service = await startService(platform, { app: 'eth-rpc', name: 'eth', settings: env })
  async function project(chosen: object = {}): Promise<string> {
    const headers = { authorization: `Bearer ${await platform.signIn()}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'bench', limits: LIMITS, ...chosen })
    const answer = await fetch(`${service.url}/projects`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`no project: ${await answer.text()}`)
    return `/v1/${((await answer.json()) as { id: string }).id}`
  }
  return { ...service, project }
}
