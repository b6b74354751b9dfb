import type { BenchPlatform } from './platform.ts'
import { type BenchProcess, startScript } from './process.ts'
import { createSchema, type Service, startBuiltService } from './service.ts'

// More than a benchmark can call: limits are counted, but never reached.
const LIMITS = { perSecond: 1_000_000_000, perDay: 1_000_000_000_000_000 }

interface StubNode extends BenchProcess {
  ask<T>(method: string): Promise<T>
}

/** A node whose answers cost almost nothing. */
export async function startStubNode(): Promise<StubNode> {
  const stub = await startScript('./stub-node.ts')
  async function ask<T>(method: string): Promise<T> {
    const answer = await fetch(stub.url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }) })
    return ((await answer.json()) as { result: T }).result
  }
  return { ...stub, ask }
}

interface EthGateway extends Service {
  /** The path of a new project. */
  project(settings?: object): Promise<string>
}

/** One process of eth-rpc in front of this node, beside the other services of the platform. */
export async function startEthGateway(
  platform: BenchPlatform,
  node: BenchProcess,
  settings: Record<string, string> = {},
): Promise<EthGateway> {
  const env = {
    DATABASE_URL: await createSchema(platform, 'eth-rpc', 'eth'),
    CHAIN: 'eth',
    // The stub's.
    CHAIN_ID: '1337',
    UPSTREAMS: `stub=${node.url}+${node.url.replace('http', 'ws')}`,
    WORKERS: '1',
    MAX_PER_SECOND: String(LIMITS.perSecond),
    MAX_PER_DAY: String(LIMITS.perDay),
    SOCKETS_PER_ADDRESS: '20000',
    ...settings,
  }
  const service = await startBuiltService(platform, { app: 'eth-rpc', name: 'eth', settings: env })
  async function project(chosen: object = {}): Promise<string> {
    const headers = { authorization: `Bearer ${await platform.signIn()}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'bench', limits: LIMITS, ...chosen })
    const answer = await fetch(`${service.url}/projects`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`the project was not created: ${await answer.text()}`)
    return `/v1/${((await answer.json()) as { id: string }).id}`
  }
  return { ...service, project }
}
