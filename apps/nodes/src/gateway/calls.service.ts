import { Injectable } from '@nestjs/common'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { Bounds } from './bounds.js'
import type { Workload } from './live-workloads.engine.js'
import { RestCalls } from './rest-calls.service.js'
import { RpcCalls } from './rpc-calls.service.js'
import type { Visit } from './visit.js'

/** The calls that are under way: so many of one holding that the others have room. */
@Injectable()
export class Calls {
  readonly #underWay = new Map<string, number>()
  #all = 0

  constructor(
    private readonly rpc: RpcCalls,
    private readonly rest: RestCalls,
    private readonly bounds: Bounds,
  ) {}

  /** Settles with the end of the answer; rejects with a Problem. `path` is what follows the id. */
  async answer(holding: Workload, path: string, visit: Visit): Promise<void> {
    if (holding.wanted === 'stopped') throw new Problem('unavailable', 'Stopped', `The ${holding.kind} is stopped: start it to call it.`)
    this.enter(holding.id)
    try {
      await (path === '' ? this.rpc.answer(holding, visit) : this.rest.answer(holding, path, visit))
    } finally {
      this.leave(holding.id)
    }
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
