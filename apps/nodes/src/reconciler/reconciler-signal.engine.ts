import { Injectable } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Logger } from '@trestle/runtime/logger'
import { Signal } from '@trestle/runtime/signal'
import { NodeDriver } from '../drivers/driver.js'
import { ReconcilerRepository } from './reconciler.repository.js'

/** Wakes the reconciler when an owner or a machine has changed something. What it misses, the reconciler finds at the next interval. */
@Injectable()
export class ReconcilerSignal {
  private readonly signal = new Signal()

  constructor(
    broadcasts: Broadcasts,
    driver: NodeDriver,
    private readonly repository: ReconcilerRepository,
    private readonly logger: Logger,
  ) {
    broadcasts.subscribe(nodeChanged, () => this.wake())
    driver.onChange((id) => this.onMachineChanged(id))
  }

  wake(): void {
    this.signal.notify()
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.signal.wait(ms, signal)
  }

  /** The machine's workload is due now. */
  private onMachineChanged(machineId: string): void {
    void this.repository
      .makeDue(machineId)
      .then(() => this.wake())
      .catch((err: unknown) => this.logger.warn({ err, machine: machineId }, 'a change of a machine waits for the next reconciliation'))
  }
}
