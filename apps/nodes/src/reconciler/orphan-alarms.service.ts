import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'

/** Reports orphans to operators. */
@Injectable()
export class OrphanAlarmsService {
  private readonly count: Gauge

  constructor(
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    const help = 'Machines of this installation that no row accounts for'
    this.count = new Gauge({ name: 'nodes_orphans', help, registers: [metrics.registry] })
  }

  report(orphans: readonly { readonly id: string; readonly isNew: boolean }[]): void {
    this.count.set(orphans.length)
    for (const { id } of orphans.filter(({ isNew }) => isNew)) {
      this.logger.warn({ machine: id }, 'an orphaned machine was found and will be removed')
    }
  }
}
