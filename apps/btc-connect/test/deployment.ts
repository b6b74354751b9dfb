import { fileURLToPath } from 'node:url'
import { startAccountsStandIn } from '@trestle/auth/test/accounts-stand-in'
import type { Coin } from '@trestle/bitcoin/chain-rules'
import { type TestChain, testChain } from '@trestle/testing/chain'
import { eventually } from '@trestle/testing/eventually'
import { testNats } from '@trestle/testing/nats'
import { freshDatabase } from '@trestle/testing/postgres'
import { Pool } from 'pg'
import { readEnv } from '../src/env.js'
import { startBtcConnect } from '../src/service.js'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/btc-connect/migrations', import.meta.url))

interface DeploymentReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, parsed; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any
}

interface CallOptions {
  /** By default a client's; `null` sends none. */
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

interface DeploymentOptions {
  readonly coin: Coin
  /** Instead of a chain of its own; there is none for BCH. */
  readonly nodeUrl?: string
  readonly settings?: Record<string, string>
}

/** A deployment as it runs, on a node, a database and a NATS of its own, with somebody who signs tokens. */
export async function startDeployment({ coin, nodeUrl, settings = {} }: DeploymentOptions) {
  const [database, nats, chain] = await Promise.all([
    freshDatabase({ schema: coin, migrations: MIGRATIONS }),
    testNats(),
    nodeUrl || coin === 'bch' ? undefined : testChain({ coin }),
  ])
  const accounts = await startAccountsStandIn(nats)
  const given = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    BASE_PATH: `/${coin}`,
    PUBLIC_URL: 'https://trestle.test',
    DATABASE_URL: database.url,
    ...nats.env(coin),
    CHAIN: coin,
    NETWORK: 'regtest',
    ...(chain ? { NODE_URL: chain.url, NODE_COOKIE_FILE: chain.cookieFile } : { NODE_URL: nodeUrl }),
    ...settings,
  }
  const service = await startBtcConnect(readEnv(given))
  await eventually(async () => (await fetch(`${service.internalUrl}/readyz`)).ok || undefined, 'the service is ready')
  const sql = new Pool({ connectionString: database.url, max: 2 })
  return {
    ...deploymentClient(service.url, () => accounts.issuer.client()),
    service,
    accounts,
    nats,
    /** Of `coin`, unless a URL was given. */
    chain: chain as TestChain,
    /** The deployment's own tables. */
    sql,
    /** Another replica on the same database, NATS and node. */
    replica: (more: Record<string, string> = {}) => startBtcConnect(readEnv({ ...given, ...more })),
    async stop() {
      await sql.end()
      await service.stop()
      await accounts.stop()
      await nats.stop()
      await database.drop()
      await chain?.stop()
    },
  }
}
export type TestDeployment = Awaited<ReturnType<typeof startDeployment>>

/** What a client does with a running deployment. */
function deploymentClient(url: string, newToken: () => string) {
  async function call(method: string, path: string, { token = newToken(), body, headers }: CallOptions = {}): Promise<DeploymentReply> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  return {
    url,
    call,
    get: (path: string, options?: CallOptions) => call('GET', `/api/v1${path}`, options),
    post: (path: string, body: unknown, options?: CallOptions) => call('POST', `/api/v1${path}`, { body, ...options }),
  }
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
