import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import { LifecycleService } from './lifecycle.service.js'
import { WakeUpsService } from './wake-ups.service.js'

const WORDS = { failure: 'validators cannot be reconciled', recovery: 'validators are reconciled again' }

/** Reconciles while this process runs and holds the lease. */
@Injectable()
export class LifecycleJob implements OnApplicationBootstrap {
  constructor(
    private readonly validators: LifecycleService,
    private readonly wakeUps: WakeUpsService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.runForever(WORDS, (persistence) => this.run(persistence))
  }

  private async run(persistence: Retrier): Promise<void> {
    const { signal } = persistence
    while (!signal.aborted) {
      const lease = await persistence.attempt(() => this.validators.begin(signal))
      if (lease) await this.reconcile(lease, persistence)
    }
  }

  private async reconcile(lease: Lease, persistence: Retrier): Promise<void> {
    const until = AbortSignal.any([lease.signal, persistence.signal])
    // A pass stops between two steps; the next holder of the lease resumes.
    persistence.signal.addEventListener('abort', () => void lease.release(), { once: true, signal: lease.signal })
    while (!until.aborted) {
      await persistence.attempt(() => this.validators.pass(lease))
      await this.wakeUps.wait(until)
    }
    await lease.release()
  }
}
