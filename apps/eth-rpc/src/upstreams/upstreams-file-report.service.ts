import { Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Counter, Gauge } from 'prom-client'

/** What came of each reading of the file of upstreams, in log, metrics and `/readyz`. */
@Injectable()
export class UpstreamsFileReportService {
  private readonly reloads: Counter<'outcome'>
  private problem?: string

  constructor(
    private readonly logger: Logger,
    { registry }: Metrics,
    readiness: Readiness,
  ) {
    this.reloads = new Counter({
      name: 'upstreams_reloads_total',
      help: 'How often the file of upstreams was read again, by what came of it.',
      labelNames: ['outcome'],
      registers: [registry],
    })
    const isRefused = () => Number(this.problem !== undefined)
    new Gauge({
      name: 'upstreams_file_refused',
      help: '1 while the file of upstreams is wrong, and what it said before is in effect.',
      registers: [registry],
      collect() {
        this.set(isRefused())
      },
    })
    readiness.addNote('upstreams', () => this.problem && `UPSTREAMS_FILE ${this.problem}`)
  }

  applied(changes: object): void {
    this.problem = undefined
    this.reloads.inc({ outcome: 'applied' })
    this.logger.info(changes, 'the upstreams of the file are in effect')
  }

  refused(problem: string): void {
    this.problem = problem
    this.reloads.inc({ outcome: 'refused' })
    this.logger.error({ reason: problem }, 'the file of upstreams is wrong, and nothing has changed')
  }
}
