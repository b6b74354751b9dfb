import { Injectable } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Logger } from '@trestle/runtime/logger'
import { Signal } from '@trestle/runtime/signal'
import { NodeDriver } from '../drivers/driver.js'
import { ReconcilerRepository } from './reconciler.repository.js'

/** Wakes the reconciler when somebody wants something, or something has happened to a machine. What is missed is seen in the next look anyway. */
@Injectable()
export class WakeUps {
  private readonly bell = new Signal()

  constructor(
    broadcasts: Broadcasts,
    driver: NodeDriver,
    private readonly repository: ReconcilerRepository,
    private readonly logger: Logger,
  ) {
    broadcasts.subscribe(nodeChanged, () => this.ring())
    driver.onChange((id) => this.happened(id))
  }

  ring(): void {
    this.bell.notify()
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.bell.wait(ms, signal)
  }

  /** Whoever the machine belongs to is looked at now. */
  private happened(machineId: string): void {
    void this.repository
      .lookNow(machineId)
      .then(() => this.ring())
      .catch((err: unknown) => this.logger.warn({ err, machine: machineId }, 'a change of a machine waits for the next look'))
  }
}
