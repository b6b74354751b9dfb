import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { UsageCounts } from '../usage/usage-counts.service.js'
import { Forwarding } from './forwarding.service.js'
import { isRestPath } from './rest-path.js'
import { answerWith, leavingOf, type Visit } from './visit.js'
import type { Workload } from './workload-reader.service.js'

/** bitcoind's REST interface, which only reads. */
@Injectable()
export class RestCalls {
  constructor(
    private readonly forwarding: Forwarding,
    private readonly usage: UsageCounts,
  ) {}

  async answer(workload: Workload, path: string, visit: Visit): Promise<void> {
    if (workload.family !== 'bitcoin' || !isRestPath(path)) throw new Problem('unknown', 'NotFound', 'There is nothing at this path.')
    const reply = await this.forwarding.ask(workload, { path, calls: [], onLeave: leavingOf(visit) })
    const bytesOut = await answerWith(visit, reply)
    this.usage.count(workload, 'rest', { calls: 1, errors: reply.status >= 400 ? 1 : 0, bytesOut })
  }
}
