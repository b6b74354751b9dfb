import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { LifecycleService } from './lifecycle.service.js'
import { WakeUps } from './wake-ups.service.js'

const RETRY_MS = 2_000

/** Reconciles for as long as this process lives, whenever it is its turn. */
@Injectable()
export class LifecycleJob implements OnApplicationBootstrap {
  private readonly stop = new AbortController()
  private running?: Promise<void>
  private failure?: string

  constructor(
    private readonly validators: LifecycleService,
    private readonly wakeUps: WakeUps,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
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
      const lease = await this.attempt(() => this.validators.begin(this.stop.signal))
      if (lease) await this.reconcile(lease)
    }
  }

  private async reconcile(lease: Lease): Promise<void> {
    const until = AbortSignal.any([lease.signal, this.stop.signal])
    // What is under way is broken off between two of its steps, and taken up by the next who has the lease.
    this.stop.signal.addEventListener('abort', () => void lease.release(), { once: true, signal: lease.signal })
    while (!until.aborted) {
      await this.attempt(() => this.validators.pass(lease))
      await this.wakeUps.wait(until)
    }
    await lease.release()
  }

  /** A failure is tried again in a while, and told once for as long as it lasts. */
  private async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (this.failure) this.logger.info('validators are reconciled again')
      this.failure = undefined
      return result
    } catch (error) {
      if (this.stop.signal.aborted) return undefined
      const { message } = error as Error
      if (message !== this.failure) this.logger.warn({ err: error }, 'validators cannot be reconciled')
      this.failure = message
      await delay(RETRY_MS, undefined, { signal: this.stop.signal }).catch(() => {})
      return undefined
    }
  }
}
