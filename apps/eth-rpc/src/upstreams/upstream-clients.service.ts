import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import { type Listener, Listeners, type Unsubscribe } from '../heads/listeners.js'
import { ENV } from '../settings.module.js'
import { BudgetBook } from './budgets/budget-book.js'
import { BudgetMeter } from './budgets/budget-meter.engine.js'
import { UpstreamClient } from './upstream.client.js'
import { connectionOf, type UpstreamConfig } from './upstream-config.js'

type ClientsEnv = Pick<EthRpcEnv, 'UPSTREAMS' | 'UPSTREAM_TRANSPORT'> & Partial<Pick<EthRpcEnv, 'CALL_TIMEOUT_MS'>>

/** An upstream as it is to be, and the client that reaches it. */
interface ConfiguredClient {
  readonly client: UpstreamClient
  readonly config: UpstreamConfig
}

/** A client for each upstream. */
@Injectable()
export class UpstreamClientsService implements OnApplicationShutdown {
  all: readonly UpstreamClient[]
  readonly budgets = new BudgetBook(randomUUID())
  private readonly changes = new Listeners<readonly UpstreamClient[]>()
  /** They finish what they were asked. */
  private readonly retired = new Map<UpstreamClient, NodeJS.Timeout>()

  constructor(@Inject(ENV) private readonly env: ClientsEnv) {
    this.all = env.UPSTREAMS.map((config) => this.open(config))
    this.measure()
  }

  /** Those that are reached as before keep their client. Throws where one cannot be made, and leaves nothing behind. */
  prepare(configs: readonly UpstreamConfig[]): ConfiguredClient[] {
    return configs.map((config) => ({ config, client: this.all.find((client) => isReachedBy(client, config)) ?? this.open(config) }))
  }

  /** From now on. */
  use(configured: readonly ConfiguredClient[]): void {
    const { all } = this
    this.all = configured.map(({ client }) => client)
    for (const { client, config } of configured) client.config = config
    this.measure()
    for (const client of all) if (!this.all.includes(client)) this.retire(client)
    this.changes.notify(this.all)
  }

  onChange(listener: Listener<readonly UpstreamClient[]>): Unsubscribe {
    return this.changes.add(listener)
  }

  onApplicationShutdown(): void {
    for (const client of [...this.all, ...this.retired.keys()]) client.close()
    for (const timer of this.retired.values()) clearTimeout(timer)
  }

  private measure(): void {
    this.budgets.configure(
      this.all.map(({ config }) => config),
      Date.now(),
    )
    for (const client of this.all) client.meter = this.meterOf(client.config)
  }

  private meterOf({ budget, cost = 1 }: UpstreamConfig): BudgetMeter | undefined {
    const known = budget && this.budgets.get(budget.name)
    return known && new BudgetMeter(known, cost)
  }

  private open(config: UpstreamConfig): UpstreamClient {
    return new UpstreamClient(config, this.env.UPSTREAM_TRANSPORT)
  }

  private retire(client: UpstreamClient): void {
    const { CALL_TIMEOUT_MS = 0 } = this.env
    const end = () => {
      this.retired.delete(client)
      client.close()
    }
    this.retired.set(client, setTimeout(end, CALL_TIMEOUT_MS + MARGIN_MS).unref())
  }
}

const MARGIN_MS = 1_000

function isReachedBy({ config: before }: UpstreamClient, config: UpstreamConfig): boolean {
  return before.name === config.name && isDeepStrictEqual(connectionOf(before), connectionOf(config))
}
