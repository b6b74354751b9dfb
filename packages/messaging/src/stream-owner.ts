import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { StreamPlan } from '@trestle/contracts/nats/stream-plans'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Metrics } from '@trestle/runtime/metrics'
import { ensureStream } from './ensure-stream.js'
import { MessagingOptions } from './messaging-options.js'
import { StreamMetrics } from './stream-metrics.js'
import { Streams } from './streams.js'

const CHECK_MS = 2_000
const API_LIMIT_MS = 2_000

/** Creates the streams and durable consumers of all services: at every connection, and again when one is gone. */
@Injectable()
export class StreamOwner implements OnApplicationBootstrap {
  private timer?: NodeJS.Timeout
  private running?: Promise<void>
  private readonly metrics: StreamMetrics

  constructor(
    private readonly options: MessagingOptions,
    private readonly streams: Streams,
    metrics: Metrics,
    lifecycle: Lifecycle,
  ) {
    this.metrics = new StreamMetrics(metrics)
    lifecycle.onFlush(() => this.stop())
  }

  onApplicationBootstrap(): void {
    this.streams.connection.onConnected(() => this.check())
    this.timer = setInterval(() => this.check(), CHECK_MS)
    this.check()
  }

  private check(): void {
    this.running ??= this.createMissing().finally(() => {
      this.running = undefined
    })
  }

  private async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.running
  }

  private async createMissing(): Promise<void> {
    const { client } = this.streams.connection
    if (!client) return
    const manager = await jetstreamManager(client, { timeout: API_LIMIT_MS, checkAPI: false })
    // One that cannot be created, as the store is too small for it, must not hold up the others.
    await Promise.all((this.options.streams ?? []).map((plan) => this.ensure(manager, plan)))
  }

  private async ensure(manager: JetStreamManager, plan: StreamPlan): Promise<void> {
    try {
      const { info, consumers } = await ensureStream(manager, plan, this.options.replicas)
      this.metrics.observe(info, consumers)
      this.streams.failures.succeeded('set up', plan.name)
    } catch (error) {
      this.metrics.forget(
        plan.name,
        plan.consumers.map(({ name }) => name),
      )
      this.streams.failures.failed('set up', plan.name, error)
    }
  }
}
