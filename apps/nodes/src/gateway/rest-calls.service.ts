import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { count } from '../usage/usage-kind.js'
import { Forwarding } from './forwarding.service.js'
import type { Workload } from './live-workloads.engine.js'
import { isRestPath } from './rest-path.js'
import { answerWith, leavingOf, type Visit } from './visit.js'

/** bitcoind's REST interface, which only reads. */
@Injectable()
export class RestCalls {
  constructor(private readonly forwarding: Forwarding) {}

  async answer(holding: Workload, path: string, visit: Visit): Promise<void> {
    if (holding.family !== 'bitcoin' || !isRestPath(path)) throw new Problem('unknown', 'NotFound', 'There is nothing at this path.')
    const reply = await this.forwarding.ask(holding, { path, calls: [], onLeave: leavingOf(visit) })
    const bytesOut = await answerWith(visit, reply)
    count(holding.meter, 'rest', { calls: 1, errors: reply.status >= 400 ? 1 : 0, bytesOut })
  }
}
