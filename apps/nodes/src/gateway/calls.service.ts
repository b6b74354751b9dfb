import { Injectable } from '@nestjs/common'
import { databaseProblem } from '@trestle/database/database-problem'
import type { RequestContext } from '@trestle/gateway/request-context'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import { CallBounds } from './call-bounds.js'
import type { ServedWorkload } from './live-workloads.engine.js'
import { RestCallsService } from './rest-calls.service.js'
import { RpcCallsService } from './rpc-calls.service.js'

/** Bounds the calls under way: of one workload too, so that there is room for the others. */
@Injectable()
export class CallsService {
  readonly #underWay = new Map<string, number>()
  #all = 0

  constructor(
    private readonly rpc: RpcCallsService,
    private readonly rest: RestCallsService,
    private readonly bounds: CallBounds,
    private readonly logger: Logger,
  ) {}

  /** Settles with the end of the answer; rejects with a Problem. `path` is what follows the id. */
  async answer(workload: ServedWorkload, path: string, context: RequestContext): Promise<void> {
    if (workload.desiredState === 'stopped')
      throw new Problem('unavailable', 'Stopped', `The ${workload.kind} is stopped: start it to call it.`)
    this.enter(workload.id)
    try {
      await (path === '' ? this.rpc.answer(workload, context) : this.rest.answer(workload, path, context))
    } finally {
      this.leave(workload.id)
    }
  }

  /** What a caller is answered instead; an unforeseen error is logged. */
  problemOf(error: unknown): Problem {
    const known = error instanceof Problem ? error : databaseProblem(error)
    if (known) return known
    this.logger.error({ err: error }, 'a request failed')
    return new Problem('internal', 'InternalError', 'Something went wrong on our side.')
  }

  private enter(id: string): void {
    const { calls, callsOfOne } = this.bounds
    const underWay = this.#underWay.get(id) ?? 0
    if (underWay >= callsOfOne)
      throw new Problem('too-many', 'TooManyCalls', `At most ${callsOfOne} calls may be under way at once.`, { headers: retryAfter(1) })
    if (this.#all >= calls)
      throw new Problem('unavailable', 'GatewayBusy', 'Too many calls are under way here; try again.', { headers: retryAfter(1) })
    this.#all++
    this.#underWay.set(id, underWay + 1)
  }

  private leave(id: string): void {
    this.#all--
    const underWay = (this.#underWay.get(id) ?? 1) - 1
    if (underWay > 0) this.#underWay.set(id, underWay)
    else this.#underWay.delete(id)
  }
}
