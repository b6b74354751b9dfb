import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'

/** Tells operators of what is nobody's. */
@Injectable()
export class OrphanAlarms {
  private readonly count: Gauge

  constructor(
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    const help = 'Machines of this installation that belong to nobody'
    this.count = new Gauge({ name: 'nodes_orphans', help, registers: [metrics.registry] })
  }

  tell(orphans: readonly { readonly id: string; readonly isNew: boolean }[]): void {
    this.count.set(orphans.length)
    for (const { id } of orphans.filter(({ isNew }) => isNew)) {
      this.logger.warn({ machine: id }, 'a machine belongs to nobody and will be removed')
    }
  }
}
