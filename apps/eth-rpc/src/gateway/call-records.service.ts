import { Injectable } from '@nestjs/common'
import { FailureLog } from '../failures/failure-log.engine.js'
import { errorOf } from '../framing/outcome.js'
import type { CallRefusal, JsonRpcCall } from '../framing/request.js'
import type { LiveProject } from '../projects/live-project.js'
import { countCall } from '../usage/project-usage.js'
import type { CallContext } from './call-context.js'
import type { CallResult } from './call-execution.service.js'
import { CallMetrics } from './call-metrics.engine.js'

interface CallRecord {
  readonly call: JsonRpcCall
  readonly done: CallResult
  readonly bytesOut: number
  readonly ms: number
}

/** What is kept of a call: metrics, usage, and why it failed. */
@Injectable()
export class CallRecordsService {
  constructor(
    private readonly metrics: CallMetrics,
    private readonly failures: FailureLog,
  ) {}

  add({ call, done, bytesOut, ms }: CallRecord, context: CallContext): void {
    const { outcome, method, nodes = 1, failure } = done
    const failed = outcome.member === 'error'
    this.metrics.count(outcome)
    if (failed) this.failures.note({ ...call, served: method?.name, outcome, failure, ms }, context)
    if (!method) return
    // It costs nothing; and its time would make a project at its limit look fast.
    const isOverLimit = failure?.status === 429
    countCall(context.project.meter, method.name, {
      computeUnits: isOverLimit ? 0 : method.computeUnits * nodes,
      bytesOut,
      failed,
      cached: outcome.cached ?? false,
      ms: isOverLimit ? undefined : ms,
    })
  }

  /** An entry of a body that is answered without a look at its params. */
  unread({ id, error }: CallRefusal, context: CallContext): void {
    this.failures.note({ id, outcome: errorOf(error), ms: 0 }, context)
  }

  /** A request that was refused as a whole, perhaps a stranger's. */
  refused(project: LiveProject, code: number): void {
    this.failures.countRefusal(project, code)
  }
}
