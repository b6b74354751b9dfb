import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import type { DayDifference } from './day-check.js'
import type { Day } from './days.js'
import type { Booking } from './ledger.js'

/** Reports what the ledger cannot explain, and its position. */
@Injectable()
export class LedgerAlarmsService {
  private readonly unexplained: Counter<'chain'>
  private readonly unbroken: Counter<'chain'>
  private readonly contradicted: Counter<'chain'>
  private readonly unread: Counter<'chain'>
  private readonly differences: Counter<'chain'>
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
    this.unread = new Counter({
      ...common,
      name: 'rewards_unread_blocks_total',
      help: 'Blocks of a fork that this release does not know: what they paid is not booked.',
    })
    this.differences = new Counter({
      ...common,
      name: 'rewards_day_differences_total',
      help: 'Validators of a sealed day whose sums differ from its epochs, from the end of the day before, or from its blocks.',
    })
    this.booked = new Gauge({ ...common, name: 'rewards_booked_epoch', help: 'The last epoch in the ledger.' })
  }

  contradict(chain: string, epoch: number): void {
    this.contradicted.inc({ chain })
    this.logger.error({ chain, epoch }, 'a node calls another chain final than the one that is booked')
  }

  checkBlocks(chain: string, unread: readonly { readonly slot: number }[]): void {
    this.unread.inc({ chain }, unread.length)
    const [first] = unread
    if (first)
      this.logger.error({ chain, blocks: unread.length, first: first.slot }, 'blocks are of a fork that this release does not know')
  }

  /** One gwei is too much. */
  checkDay(chain: string, day: Day, differences: readonly DayDifference[]): void {
    this.differences.inc({ chain }, differences.length)
    const [first] = differences
    if (first) this.logger.error({ chain, day, validators: differences.length, ...first }, 'the books of a day contradict themselves')
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
