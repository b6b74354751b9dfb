import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Persistence } from '@trestle/runtime/persistence'
import { LifecycleService } from './lifecycle.service.js'
import { WakeUps } from './wake-ups.service.js'

/** Reconciles for as long as this process lives, whenever it is its turn. */
@Injectable()
export class LifecycleJob implements OnApplicationBootstrap {
  private readonly stop = new AbortController()
  private running?: Promise<void>
  private readonly persistence: Persistence

  constructor(
    private readonly validators: LifecycleService,
    private readonly wakeUps: WakeUps,
    logger: Logger,
    lifecycle: Lifecycle,
  ) {
    const words = { fails: 'validators cannot be reconciled', again: 'validators are reconciled again' }
    this.persistence = new Persistence(logger, this.stop.signal, words)
    lifecycle.onDrain(() => {
      this.stop.abort()
      return this.running
    })
  }

  onApplicationBootstrap(): void {
    this.running = this.run()
  }

  private async run(): Promise<void> {
    while (!this.stop.signal.aborted) {
      const lease = await this.persistence.attempt(() => this.validators.begin(this.stop.signal))
      if (lease) await this.reconcile(lease)
    }
  }

  private async reconcile(lease: Lease): Promise<void> {
    const until = AbortSignal.any([lease.signal, this.stop.signal])
    // What is under way is broken off between two of its steps, and taken up by the next who has the lease.
    this.stop.signal.addEventListener('abort', () => void lease.release(), { once: true, signal: lease.signal })
    while (!until.aborted) {
      await this.persistence.attempt(() => this.validators.pass(lease))
      await this.wakeUps.wait(until)
    }
    await lease.release()
  }
}
