import { setTimeout as delay } from 'node:timers/promises'
import {
  type NatsConnection as Client,
  type ConnectionOptions,
  connect,
  PermissionViolationError,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { inboxPrefix } from '@trestle/contracts/nats/identities'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { withTimeout } from '@trestle/runtime/with-timeout'
import { Counter, Gauge } from 'prom-client'
import { MessagingOptions } from './messaging-options.js'
import { nkeyAuthenticator } from './nkey-authenticator.js'

const RETRY_MS = 250
const CLOSE_LIMIT_MS = 2_000
const MAX_REMEMBERED = 100

/** The one NATS connection of a process. The service starts without it; connecting is retried for as long as the process runs. */
@Injectable()
export class NatsConnection implements OnModuleInit {
  private established?: Client
  private up = false
  private lastError = ''
  private readonly closing = new AbortController()
  private readonly firstListeners: ((client: Client) => void)[] = []
  private readonly listeners: (() => void)[] = []
  private readonly gauge: Gauge
  private readonly refusals: Counter<'operation'>
  private readonly loggedRefusals = new Set<string>()

  constructor(
    private readonly options: MessagingOptions,
    private readonly logger: Logger,
    metrics: Metrics,
    lifecycle: Lifecycle,
  ) {
    this.gauge = new Gauge({ name: 'nats_connected', help: 'Whether NATS is connected.', registers: [metrics.registry] })
    this.refusals = new Counter({
      name: 'nats_permission_violations_total',
      help: 'Operations that NATS refused to this identity.',
      labelNames: ['operation'],
      registers: [metrics.registry],
    })
    lifecycle.onClose(() => this.close())
  }

  onModuleInit(): void {
    void this.connect()
  }

  /** Whose connection it is. */
  get service(): string {
    return this.options.service
  }

  /** The connection while it is up. */
  get client(): Client | undefined {
    return this.up ? this.established : undefined
  }

  /** Runs once, at the first connection: the place to subscribe, as subscriptions outlive reconnecting. */
  onFirstConnected(listener: (client: Client) => void): void {
    if (this.established) listener(this.established)
    else this.firstListeners.push(listener)
  }

  /** Runs at every connection, the first one included. */
  onConnected(listener: () => void): void {
    this.listeners.push(listener)
  }

  private async connect(): Promise<void> {
    const { signal } = this.closing
    while (!signal.aborted) {
      try {
        this.established = await connect(connectionOptions(this.options))
        break
      } catch (error) {
        this.logOnce(error as Error)
        await delay(RETRY_MS, undefined, { signal }).catch(() => {})
      }
    }
    const client = this.established
    if (!client) return
    if (signal.aborted) return client.close()
    void this.followStatus(client)
    // Subscriptions first: whoever reads state at a connection must not miss what changes after.
    for (const listener of this.firstListeners) listener(client)
    this.setUp(true)
  }

  private async followStatus(client: Client): Promise<void> {
    for await (const status of client.status()) {
      if (status.type === 'disconnect') this.setUp(false)
      if (status.type === 'reconnect') this.setUp(true)
      if (status.type !== 'error') continue
      if (status.error instanceof PermissionViolationError) this.logRefusal(status.error)
      else this.logOnce(status.error)
    }
  }

  private logRefusal({ operation, subject }: PermissionViolationError): void {
    this.refusals.inc({ operation })
    const refusal = `${operation} ${subject}`
    if (this.loggedRefusals.has(refusal) || this.loggedRefusals.size === MAX_REMEMBERED) return
    this.loggedRefusals.add(refusal)
    this.logger.error({ operation, subject, identity: this.options.service }, 'NATS does not permit this operation to this identity')
  }

  /** Each reason once: connecting is tried four times a second. */
  private logOnce(error: Error): void {
    if (error.message === this.lastError) return
    this.lastError = error.message
    this.logger.warn({ err: error }, 'NATS cannot be reached, or refused an operation')
  }

  private setUp(up: boolean): void {
    this.up = up
    this.gauge.set(up ? 1 : 0)
    if (up) this.logger.info('NATS is connected')
    else if (!this.closing.signal.aborted) this.logger.warn('NATS is away')
    this.lastError = ''
    if (up) for (const listener of this.listeners) listener()
  }

  private async close(): Promise<void> {
    this.closing.abort()
    const { client } = this
    // Flushes the last acknowledgements, if there is a server to take them.
    if (client) await withTimeout(CLOSE_LIMIT_MS, () => client.drain()).catch(() => {})
    await this.established?.close()
  }
}

function connectionOptions({ service, natsUrl, natsSeed, natsTls }: MessagingOptions): ConnectionOptions {
  const servers = natsUrl.split(',').map((url) => new URL(url))
  const [first] = servers
  const user = first?.username && usernamePasswordAuthenticator(decodeURIComponent(first.username), decodeURIComponent(first.password))
  const usesTls = servers.some(({ protocol }) => protocol === 'tls:') || Boolean(natsTls?.caFile || natsTls?.certFile)
  const nkey = natsSeed && nkeyAuthenticator(natsSeed)
  return {
    name: service,
    servers: servers.map(({ host }) => host),
    authenticator: [user, nkey].filter((each) => typeof each === 'function'),
    // Replies arrive where nobody else may subscribe.
    inboxPrefix: inboxPrefix(service),
    // With it the library refuses a server that offers no TLS.
    ...(usesTls && { tls: { ...natsTls } }),
    timeout: 5_000,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RETRY_MS,
    // Detects a silently dead connection within half a minute.
    pingInterval: 10_000,
  }
}
