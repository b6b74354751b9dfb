import { setTimeout as delay } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Logger } from '@trestle/runtime/logger'
import { DueWorkloads } from './due-workloads.service.js'
import type { DueWorkload, WorkloadLook } from './look.js'
import { WakeUps } from './wake-ups.service.js'
import { WorkloadLooker } from './workload-looker.service.js'

const MAX_AT_ONCE = 32
// What ends within this time is written in one transaction.
const GATHER_MS = 100
const LONG_MS = 60_000

/** What is under way: until it is written down, nobody else begins with it. */
interface InHand {
  readonly looking: Map<string, Promise<void>>
  readonly finished: WorkloadLook[]
}

/** Makes what is wanted true, as long as it holds the lease: whatever is due is looked at, and what came of it is written down. */
@Injectable()
export class Reconciler {
  constructor(
    private readonly due: DueWorkloads,
    private readonly looker: WorkloadLooker,
    private readonly wakeUps: WakeUps,
    private readonly logger: Logger,
  ) {}

  /** Goes on until the signal says so, or Postgres is away; then everything under way is waited for. */
  async run(lease: Lease, until: AbortSignal): Promise<void> {
    const inHand: InHand = { looking: new Map(), finished: [] }
    try {
      while (!until.aborted) {
        await this.turn(lease, inHand)
        await this.rest(inHand, until)
      }
    } finally {
      await Promise.all(inHand.looking.values())
    }
  }

  private async turn(lease: Lease, { looking, finished }: InHand): Promise<void> {
    const done = finished.splice(0)
    if (done.length > 0) await this.due.save(lease, done)
    for (const { workload } of done) looking.delete(workload.id)
    const free = MAX_AT_ONCE - looking.size
    if (free === 0) return
    for (const due of await this.due.next(free, [...looking.keys()])) looking.set(due.workload.id, this.look(lease, due, finished))
  }

  private async look(lease: Lease, due: DueWorkload, finished: WorkloadLook[]): Promise<void> {
    try {
      finished.push(await this.looker.look(lease, due))
    } catch (error) {
      if (!lease.signal.aborted) this.logger.error({ err: error, workload: due.workload.id }, 'a workload cannot be looked at')
      finished.push(this.due.putOff(due))
    }
    this.wakeUps.ring()
  }

  private async rest({ looking, finished }: InHand, until: AbortSignal): Promise<void> {
    await delay(GATHER_MS, undefined, { signal: until }).catch(() => {})
    if (finished.length > 0) return
    const ms = looking.size < MAX_AT_ONCE ? await this.due.msUntilNext([...looking.keys()]) : LONG_MS
    await this.wakeUps.wait(ms, until)
  }
}
