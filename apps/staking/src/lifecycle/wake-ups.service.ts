import { Inject, Injectable } from '@nestjs/common'
import { validatorChangeRequested } from '@trestle/contracts/staking/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Signal } from '@trestle/runtime/signal'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'

/** Wakes the reconciler when an owner changes something, in any process. A missed signal costs the wait for the next pass. */
@Injectable()
export class WakeUpsService {
  private readonly bell = new Signal()

  constructor(
    broadcasts: Broadcasts,
    @Inject(ENV) private readonly env: Pick<StakingEnv, 'RECONCILE_MS'>,
  ) {
    broadcasts.subscribe(validatorChangeRequested, () => this.bell.notify())
  }

  /** Resolves when something has changed, or the next pass is due. */
  wait(signal: AbortSignal): Promise<void> {
    return this.bell.wait(this.env.RECONCILE_MS, signal)
  }
}
