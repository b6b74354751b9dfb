import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Jobs } from '@trestle/runtime/jobs'
import { Logger } from '@trestle/runtime/logger'
import { Signal } from '@trestle/runtime/signal'
import { PortListeners } from './port-listeners.engine.js'

const LOOK_MS = 1_500

/** Keeps ports open as workloads come and go: when that is told, and again and again for what was not heard. */
@Injectable()
export class PortListenersJob implements OnApplicationBootstrap {
  constructor(
    private readonly ports: PortListeners,
    private readonly broadcasts: Broadcasts,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const bell = new Signal()
    this.broadcasts.subscribe(nodeChanged, () => bell.notify())
    this.jobs.run((signal) => this.live(bell, signal))
  }

  private async live(bell: Signal, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.ports.keep().catch((err: unknown) => this.logger.warn({ err }, 'could not see which ports nodes have'))
      await bell.wait(LOOK_MS, signal)
    }
    await this.ports.close()
  }
}
