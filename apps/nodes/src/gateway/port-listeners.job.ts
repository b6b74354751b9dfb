import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Jobs } from '@trestle/runtime/jobs'
import { Logger } from '@trestle/runtime/logger'
import { Signal } from '@trestle/runtime/signal'
import { PortListeners } from './port-listeners.engine.js'

const REFRESH_MS = 1_500

/** Opens and closes ports as workloads come and go: at each announcement, and at intervals for those that were missed. */
@Injectable()
export class PortListenersJob implements OnApplicationBootstrap {
  constructor(
    private readonly ports: PortListeners,
    private readonly broadcasts: Broadcasts,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const change = new Signal()
    this.broadcasts.subscribe(nodeChanged, () => change.notify())
    this.jobs.run((signal) => this.keepOpen(change, signal))
  }

  private async keepOpen(change: Signal, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.ports.keep().catch((err: unknown) => this.logger.warn({ err }, 'could not read the ports of workloads'))
      await change.wait(REFRESH_MS, signal)
    }
    await this.ports.close()
  }
}
