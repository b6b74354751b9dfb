import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import type { Booking } from './ledger.js'

/** Reports what the ledger cannot explain, and its position. */
@Injectable()
export class LedgerAlarmsService {
  private readonly unexplained: Counter<'chain'>
  private readonly unbroken: Counter<'chain'>
  private readonly contradicted: Counter<'chain'>
  private readonly booked: Gauge<'chain'>

  constructor(
    private readonly logger: Logger,
    { registry }: Metrics,
  ) {
    const common = { labelNames: ['chain'] as const, registers: [registry] }
    this.unexplained = new Counter({
      ...common,
      name: 'rewards_unexplained_total',
      help: 'Epochs of a validator in which its balance changed by more than its rewards and rounding explain.',
    })
    this.unbroken = new Counter({
      ...common,
      name: 'rewards_unbroken_total',
      help: 'Epochs of a validator for which no node had the breakdown of rewards.',
    })
    this.contradicted = new Counter({
      ...common,
      name: 'rewards_contradicted_total',
      help: 'Times that a node called another chain final than the one that is booked.',
    })
    this.booked = new Gauge({ ...common, name: 'rewards_booked_epoch', help: 'The last epoch in the ledger.' })
  }

  contradict(chain: string, epoch: number): void {
    this.contradicted.inc({ chain })
    this.logger.error({ chain, epoch }, 'a node calls another chain final than the one that is booked')
  }

  check(chain: string, epoch: number, bookings: readonly Booking[]): void {
    this.booked.set({ chain }, epoch)
    this.unbroken.inc({ chain }, bookings.filter(({ line }) => line.isUnbroken).length)
    const unexplained = bookings.filter(({ line }) => line.unexplainedGwei !== 0n)
    this.unexplained.inc({ chain }, unexplained.length)
    const [first] = unexplained
    if (!first) return
    const gwei = String(first.line.unexplainedGwei)
    this.logger.error(
      { chain, epoch, validators: unexplained.length, first: first.closing.index, gwei },
      'a balance changed for an unknown reason: it is in no bill',
    )
  }
}
