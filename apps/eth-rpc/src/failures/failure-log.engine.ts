import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { UNKNOWN_METHOD } from '@trestle/contracts/eth-rpc/failures'
import { Clock } from '@trestle/runtime/clock'
import { Metrics } from '@trestle/runtime/metrics'
import { hourOf } from '@trestle/usage/usage-range'
import { Counter } from 'prom-client'
import type { LiveProject } from '../projects/live-project.js'
import { codeIn, errorIn, type Failing, failureDetailOf, sampleId, shownMethod } from './failed-call.js'
import { FailureBook } from './failure-book.engine.js'

/** Whose call it was, and the request that it came with. */
interface CallOrigin {
  readonly project: Pick<LiveProject, 'serial' | 'failureSamples' | 'key'>
  readonly requestId: string
}

/** Takes note of calls that failed, without I/O. */
@Injectable()
export class FailureLog {
  readonly book = new FailureBook()

  constructor(
    private readonly clock: Clock,
    { registry }: Metrics,
  ) {
    const { book } = this
    new Counter({
      name: 'failures_lost_total',
      help: 'Failed calls that are missing in the errors of their project, or among its samples, as too much waited for Postgres.',
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        this.reset()
        this.inc({ kind: 'count' }, book.lostCounts)
        this.inc({ kind: 'sample' }, book.lostSamples)
      },
    })
  }

  /** A call of somebody who may call. */
  note(failing: Failing, { project, requestId }: CallOrigin): void {
    const { serial, key } = project
    const method = failing.served ?? UNKNOWN_METHOD
    const time = this.clock.now()
    const code = this.book.count({ project: serial, hour: hourOf(time.getTime()), method, code: codeIn(failing) })
    if (!project.failureSamples || !this.book.admitsSample(serial, method, code)) return
    const id = sampleId(time.getTime(), randomBytes(16))
    const shown = shownMethod(failing, UNKNOWN_METHOD)
    const detail = { ...failureDetailOf(failing, errorIn(failing)), ...(key && { key: { number: key.number, name: key.name } }) }
    this.book.addSample({ project: serial, id, time, requestId, method: shown, code, detail })
  }

  /** A request that was refused before it was read. Anybody may have sent it: it is no sample. */
  countRefusal({ serial }: Pick<LiveProject, 'serial'>, code: number): void {
    this.book.count({ project: serial, hour: hourOf(this.clock.now().getTime()), method: UNKNOWN_METHOD, code })
  }
}
