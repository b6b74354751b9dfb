import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream'
import type { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'

/** What the streams and the durable consumers of all services say of themselves. */
export class StreamMetrics {
  private readonly messages: Gauge<'stream'>
  private readonly bytes: Gauge<'stream'>
  private readonly maxBytes: Gauge<'stream'>
  private readonly servers: Gauge<'stream'>
  private readonly pending: Gauge<'consumer'>

  constructor({ registry }: Metrics) {
    const shared = { labelNames: ['stream'] as const, registers: [registry] }
    this.messages = new Gauge({ ...shared, name: 'stream_messages', help: 'Messages that a stream holds.' })
    this.bytes = new Gauge({ ...shared, name: 'stream_bytes', help: 'Bytes that a stream holds.' })
    this.maxBytes = new Gauge({ ...shared, name: 'stream_max_bytes', help: 'Bytes at which a stream drops its oldest messages.' })
    this.servers = new Gauge({ ...shared, name: 'stream_current_servers', help: 'NATS servers that hold all of a stream.' })
    this.pending = new Gauge({
      name: 'consumer_pending',
      help: 'Domain events that a durable consumer has not acknowledged yet.',
      labelNames: ['consumer'],
      registers: [registry],
    })
  }

  observe({ config, cluster, state }: StreamInfo, consumers: readonly ConsumerInfo[]): void {
    const labels = { stream: config.name }
    this.messages.set(labels, state.messages)
    this.bytes.set(labels, state.bytes)
    this.maxBytes.set(labels, config.max_bytes)
    this.servers.set(labels, 1 + (cluster?.replicas ?? []).filter(({ current }) => current).length)
    for (const { name, num_pending, num_ack_pending } of consumers) this.pending.set({ consumer: name }, num_pending + num_ack_pending)
  }

  /** Rather no value than an old one. */
  forget(stream: string, consumers: readonly string[]): void {
    for (const gauge of [this.messages, this.bytes, this.maxBytes, this.servers]) gauge.remove({ stream })
    for (const consumer of consumers) this.pending.remove({ consumer })
  }
}
