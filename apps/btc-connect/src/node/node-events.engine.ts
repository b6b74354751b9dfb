import { setTimeout as delay } from 'node:timers/promises'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Signal } from '@trestle/runtime/signal'
import type { BtcConnectEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { NodeCapabilitiesService } from './node-capabilities.service.js'
import { eventOf, type NodeEvent } from './node-event.js'
import { ZmtpClient } from './zmtp.client.js'

const PAUSE_MS = 10_000

/** Wakes those who poll the node before their next poll is due. A lost message only delays them until then. */
@Injectable()
export class NodeEvents implements OnApplicationBootstrap {
  private readonly signals: { readonly events: readonly NodeEvent[]; readonly signal: Signal }[] = []
  private readonly stop = new AbortController()
  private subscriber?: ZmtpClient

  constructor(
    private readonly capabilities: NodeCapabilitiesService,
    private readonly logger: Logger,
    @Inject(ENV) private readonly env: Pick<BtcConnectEnv, 'NODE_ZMQ_URL'>,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(() => {
      this.stop.abort()
      this.subscriber?.stop()
    })
  }

  onApplicationBootstrap(): void {
    void this.subscribe()
  }

  /** A new signal that these events notify. */
  signalOn(...events: NodeEvent[]): Signal {
    const signal = new Signal()
    this.signals.push({ events, signal })
    return signal
  }

  emit(event: NodeEvent): void {
    for (const { events, signal } of this.signals) if (events.includes(event)) signal.notify()
  }

  private async subscribe(): Promise<void> {
    const url = this.env.NODE_ZMQ_URL ?? (await this.publishedUrl())
    if (!url || this.stop.signal.aborted) return
    this.subscriber = new ZmtpClient({
      url,
      topics: ['hash', 'sequence'],
      onMessage: (frames) => {
        const event = eventOf(frames)
        if (event) this.emit(event)
      },
      onChange: (connected, reason) => this.logger.info({ connected, reason }, 'connection to the publisher of the node'),
    })
  }

  private async publishedUrl(): Promise<string | undefined> {
    const { signal } = this.stop
    while (!signal.aborted) {
      try {
        return (await this.capabilities.get()).zmq
      } catch {
        // Those who read from the node report that it is unreachable.
        await delay(PAUSE_MS, undefined, { signal }).catch(() => {})
      }
    }
    return undefined
  }
}
