import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { StreamPlan } from '@trestle/contracts/nats/stream-plans'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { ensureStream } from './ensure-stream.js'
import { MessagingOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'
import { StreamFailures } from './stream-failures.js'

const CHECK_MS = 2_000
const API_LIMIT_MS = 2_000

/** Creates the streams and durable consumers of all services: at every connection, and again when one is gone. */
@Injectable()
export class StreamOwner implements OnApplicationBootstrap {
  private timer?: NodeJS.Timeout
  private running?: Promise<void>

  constructor(
    private readonly options: MessagingOptions,
    private readonly connection: NatsConnection,
    private readonly failures: StreamFailures,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onFlush(() => this.stop())
  }

  onApplicationBootstrap(): void {
    this.connection.onConnected(() => this.check())
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
    const { client } = this.connection
    if (!client) return
    const manager = await jetstreamManager(client, { timeout: API_LIMIT_MS, checkAPI: false })
    // One that cannot be created, as the store is too small for it, must not hold up the others.
    await Promise.all((this.options.streams ?? []).map((plan) => this.ensure(manager, plan)))
  }

  private async ensure(manager: JetStreamManager, plan: StreamPlan): Promise<void> {
    try {
      await ensureStream(manager, plan, this.options.replicas)
      this.failures.succeeded('set up', plan.name)
    } catch (error) {
      this.failures.failed('set up', plan.name, error)
    }
  }
}
