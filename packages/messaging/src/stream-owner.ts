import { jetstreamManager } from '@nats-io/jetstream'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { ensureStream } from './ensure-stream.js'
import { MessagingOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'

const CHECK_MS = 2_000
const API_LIMIT_MS = 2_000

/** Creates the streams and durable consumers of all services: at every connection, and again when one is gone. */
@Injectable()
export class StreamOwner implements OnApplicationBootstrap {
  private timer?: NodeJS.Timeout
  private running?: Promise<void>
  /** By stream. */
  private readonly failures = new Map<string, string>()

  constructor(
    private readonly options: MessagingOptions,
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
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
    for (const plan of this.options.streams ?? [])
      await ensureStream(manager, plan).then(
        () => this.failures.delete(plan.name),
        (error: Error) => this.logOnce(plan.name, error),
      )
  }

  /** Each reason once: it is tried every two seconds, and another replica may have been faster. */
  private logOnce(stream: string, error: Error): void {
    if (this.failures.get(stream) === error.message) return
    this.failures.set(stream, error.message)
    this.logger.warn({ err: error, stream }, 'a stream could not be created or changed; trying again')
  }
}
