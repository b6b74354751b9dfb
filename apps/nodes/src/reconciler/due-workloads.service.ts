import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import type { DueWorkload, WorkloadLook } from './look.js'
import { ReconcilerRepository } from './reconciler.repository.js'

const LONGEST_MS = 5_000
// Of a thousand that stand still one is due every 30 ms: they are looked at several at a time.
const SHORTEST_MS = 200

/** What it is time for, by this process's clock. */
@Injectable()
export class DueWorkloads {
  constructor(
    private readonly repository: ReconcilerRepository,
    private readonly clock: Clock,
  ) {}

  /** Waits until nobody else reconciles. */
  begin(signal: AbortSignal): Promise<Lease> {
    return this.repository.acquire(signal)
  }

  next(limit: number, except: readonly string[]): Promise<DueWorkload[]> {
    return this.repository.due(this.clock.now(), { limit, except })
  }

  save(lease: Lease, looks: readonly WorkloadLook[]): Promise<void> {
    return this.repository.save(lease, looks, this.clock.now())
  }

  /** One that cannot be looked at does not keep the others: it is tried again after a while. */
  putOff({ workload, attempts }: DueWorkload): WorkloadLook {
    return { workload, machines: [], lookAt: new Date(this.clock.now().getTime() + LONGEST_MS), attempts: attempts + 1 }
  }

  async msUntilNext(except: readonly string[]): Promise<number> {
    const next = await this.repository.nextDue(except)
    return next ? Math.min(LONGEST_MS, Math.max(SHORTEST_MS, next.getTime() - this.clock.now().getTime())) : LONGEST_MS
  }
}
