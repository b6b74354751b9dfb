import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { validatorChangeRequested } from '@trestle/contracts/staking/messages'
import type { Lease } from '@trestle/database/lease'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import { Signal } from '@trestle/runtime/signal'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { LifecycleService } from './lifecycle.service.js'

const WORDS = { failure: 'validators cannot be reconciled', recovery: 'validators are reconciled again' }

/** Reconciles while this process runs and holds the lease: at intervals, and when an owner changes something in any process. */
@Injectable()
export class LifecycleJob implements OnApplicationBootstrap {
  private readonly changes = new Signal()

  constructor(
    private readonly validators: LifecycleService,
    private readonly broadcasts: Broadcasts,
    private readonly jobs: Jobs,
    @Inject(ENV) private readonly env: Pick<StakingEnv, 'RECONCILE_MS'>,
  ) {}

  onApplicationBootstrap(): void {
    this.broadcasts.subscribe(validatorChangeRequested, () => this.changes.notify())
    this.jobs.runForever(WORDS, (retrier) => this.run(retrier))
  }

  private async run(retrier: Retrier): Promise<void> {
    const { signal } = retrier
    while (!signal.aborted) {
      const lease = await retrier.attempt(() => this.validators.begin(signal))
      if (lease) await this.reconcile(lease, retrier)
    }
  }

  private async reconcile(lease: Lease, retrier: Retrier): Promise<void> {
    const until = AbortSignal.any([lease.signal, retrier.signal])
    // A pass stops between two steps; the next holder of the lease resumes.
    retrier.signal.addEventListener('abort', () => void lease.release(), { once: true, signal: lease.signal })
    while (!until.aborted) {
      await retrier.attempt(() => this.validators.pass(lease))
      await this.changes.wait(this.env.RECONCILE_MS, until)
    }
    await lease.release()
  }
}
