import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startAccountsStandIn } from '@trestle/auth/test/accounts-stand-in'
import type { Coin } from '@trestle/bitcoin/chain-rules'
import { freePorts } from '@trestle/devnet/ports'
import { type RunningProcess, startProcess } from '@trestle/devnet/process'
import { eventually } from '@trestle/testing/eventually'
import { type TestNats, testNats } from '@trestle/testing/nats'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import { Pool as Postgres } from 'pg'
import { Pool } from 'undici'
import type { Regtest } from './regtest.js'

const APP = fileURLToPath(new URL('../..', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/btc-connect/migrations', import.meta.url))

export interface ServiceReply {
  readonly status: number
  /** Of the index, when it was read. */
  readonly height: number
  readonly total: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any
}

export interface BuiltReplica {
  readonly process: RunningProcess
  /** Once it says that it can serve. */
  ready(): Promise<void>
  kill(): Promise<void>
  get(path: string): Promise<ServiceReply>
  post(path: string, body: object): Promise<ServiceReply>
}

export interface BuiltServiceOptions {
  readonly node: Pick<Regtest, 'url' | 'cookieFile'> & { readonly coin: Coin; readonly zmqUrl?: string }
  readonly settings?: Readonly<Record<string, string>>
}

interface Surroundings {
  readonly nats: TestNats
  readonly accounts: Awaited<ReturnType<typeof startAccountsStandIn>>
  readonly logs: string
}

type Role = 'all' | 'indexer' | 'api'

/** The built service of one chain as child processes, with a database and a NATS of its own. */
export class BuiltService {
  /** The index itself. */
  readonly sql: Postgres
  private readonly running = new Set<RunningProcess>()
  private readonly pools: Pool[] = []
  private readonly others: BuiltService[] = []
  private isStopped = false

  private constructor(
    private readonly options: BuiltServiceOptions,
    private readonly database: TestDatabase,
    private readonly surroundings: Surroundings,
  ) {
    this.sql = new Postgres({ connectionString: database.url, max: 4 })
    this.sql.on('error', () => {})
  }

  static async create(options: BuiltServiceOptions): Promise<BuiltService> {
    const [database, nats] = await Promise.all([emptyIndex(options), testNats()])
    const accounts = await startAccountsStandIn(nats)
    return new BuiltService(options, database, { nats, accounts, logs: mkdtempSync(join(tmpdir(), 'trestle-story-')) })
  }

  /** The same chain with an empty index; stops with this one at the latest. */
  async another(): Promise<BuiltService> {
    const other = new BuiltService(this.options, await emptyIndex(this.options), this.surroundings)
    this.others.push(other)
    return other
  }

  /** A process of the service, just started. */
  async start(role: Role = 'all', settings: Record<string, string> = {}): Promise<BuiltReplica> {
    const [port = 0, internal = 0] = await freePorts(2)
    const { node } = this.options
    const { NODE_OPTIONS, ...inherited } = process.env
    const env = {
      ...inherited,
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: String(port),
      INTERNAL_PORT: String(internal),
      PUBLIC_URL: 'https://trestle.test',
      DATABASE_URL: this.database.url,
      ...this.surroundings.nats.env(node.coin),
      CHAIN: node.coin,
      NETWORK: 'regtest',
      NODE_URL: node.url,
      NODE_COOKIE_FILE: node.cookieFile,
      ...(node.zmqUrl && { NODE_ZMQ_URL: node.zmqUrl }),
      ROLE: role,
      ...this.options.settings,
      ...settings,
    }
    const log = join(this.surroundings.logs, `${role}-${port}.log`)
    const running = startProcess({
      name: node.coin,
      command: process.execPath,
      args: ['--enable-source-maps', 'dist/main.js'],
      cwd: APP,
      env,
      log,
    })
    this.running.add(running)
    return this.replica(running, port, internal)
  }

  async stop(): Promise<void> {
    if (this.isStopped) return
    this.isStopped = true
    await Promise.all(this.others.map((each) => each.stop()))
    await Promise.all([...this.running].map((each) => each.stop()))
    await Promise.all(this.pools.map((pool) => pool.destroy()))
    await this.sql.end()
    await this.database.drop()
  }

  /** With what all of them stood on. */
  async stopAll(): Promise<void> {
    const { nats, accounts, logs } = this.surroundings
    await this.stop()
    await accounts.stop()
    await nats.stop()
    rmSync(logs, { recursive: true })
  }

  private replica(running: RunningProcess, port: number, internal: number): BuiltReplica {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 })
    this.pools.push(pool)
    const { issuer } = this.surroundings.accounts
    const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<ServiceReply> => {
      const headers = { authorization: `Bearer ${issuer.client()}` }
      const content = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
      const answer = await pool.request({ method, path: `/api/v1${path}`, headers, ...content })
      const text = await answer.body.text()
      const { 'x-index-height': height, 'x-total-count': total } = answer.headers
      return { status: answer.statusCode, height: Number(height ?? -1), total: Number(total ?? -1), text, body: parsed(text) }
    }
    return {
      process: running,
      async ready() {
        const isReady = async () => (await fetch(`http://127.0.0.1:${internal}/readyz`).catch(() => undefined))?.ok
        await eventually(
          async () => (await isReady()) || (running.isRunning() ? undefined : fail(running)),
          'the service is ready',
          120_000,
        )
      },
      async kill() {
        running.kill('SIGKILL')
        await running.exited
      },
      get: (path) => ask('GET', path),
      post: (path, body) => ask('POST', path, body),
    }
  }
}

function emptyIndex({ node }: BuiltServiceOptions): Promise<TestDatabase> {
  return freshDatabase({ schema: node.coin, migrations: MIGRATIONS })
}

/** Does the work for each, a few at a time. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>, atOnce = 8): Promise<void> {
  const rest = [...items].reverse()
  const worker = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function fail(running: RunningProcess): never {
  throw new Error(`the service ended:\n${running.lastLines(40)}`)
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
