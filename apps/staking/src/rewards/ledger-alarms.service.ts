import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import { ROUNDING_GWEI } from './epoch-booking.js'
import type { Booking } from './ledger.js'

/** Tells people what the ledger cannot explain, and how far it is. */
@Injectable()
export class LedgerAlarmsService {
  private readonly unexplained: Counter<'chain'>
  private readonly unbroken: Counter<'chain'>
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
      help: 'Epochs of a validator of which no node told what its rewards are made of.',
    })
    this.booked = new Gauge({ ...common, name: 'rewards_booked_epoch', help: 'The last epoch that is in the ledger.' })
  }

  check(chain: string, epoch: number, bookings: readonly Booking[]): void {
    this.booked.set({ chain }, epoch)
    this.unbroken.inc({ chain }, bookings.filter(({ line }) => line.isUnbroken).length)
    const odd = bookings.filter(({ line: { roundingGwei } }) => roundingGwei > ROUNDING_GWEI || -roundingGwei > ROUNDING_GWEI)
    this.unexplained.inc({ chain }, odd.length)
    const [first] = odd
    if (!first) return
    const gwei = String(first.line.roundingGwei)
    this.logger.warn({ chain, epoch, validators: odd.length, first: first.closing.index, gwei }, 'a balance changed for no known reason')
  }
}
