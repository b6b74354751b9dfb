import { Injectable } from '@nestjs/common'
import { databaseProblem } from '@trestle/database/database-problem'
import { Problem } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import { Admission } from './admission.service.js'
import { Calls } from './calls.service.js'
import { LiveWorkloads } from './live-workloads.engine.js'
import { sendProblem, type Visit } from './visit.js'

/** One request, from its holding's id to the last byte of its answer. */
@Injectable()
export class Gateway {
  constructor(
    private readonly holdings: LiveWorkloads,
    private readonly admission: Admission,
    private readonly calls: Calls,
    private readonly logger: Logger,
  ) {}

  /** Never fails: what is wrong is told to whoever calls, and what nobody foresaw is logged. `path` is what follows the id. */
  async serve(id: string, path: string, visit: Visit): Promise<void> {
    try {
      const found = this.holdings.get(id)
      const holding = found instanceof Promise ? await found : found
      if (!holding) throw new Problem('unknown', 'UnknownNode', 'There is no such node or cluster.')
      const admitted = this.admission.admit(holding, visit)
      if (admitted) await admitted
      await this.calls.answer(holding, path, visit)
    } catch (error) {
      sendProblem(visit, this.problemOf(error))
    }
  }

  private problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error
    const known = databaseProblem(error)
    if (known) return known
    this.logger.error({ err: error }, 'a request failed')
    return new Problem('internal', 'InternalError', 'Something went wrong on our side.')
  }
}
