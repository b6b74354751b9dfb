import { Injectable } from '@nestjs/common'
import { onAbandoned, type RequestContext } from '@trestle/gateway/request-context'
import { Problem } from '@trestle/problem/problem'
import { countCalls } from '../usage/workload-usage.js'
import { ForwardingService } from './forwarding.service.js'
import type { ServedWorkload } from './live-workloads.engine.js'
import { passOn } from './machine-response.engine.js'
import { isRestPath } from './rest-path.js'

/** bitcoind's REST interface, which only reads. */
@Injectable()
export class RestCallsService {
  constructor(private readonly forwarding: ForwardingService) {}

  async answer(workload: ServedWorkload, path: string, context: RequestContext): Promise<void> {
    if (workload.family !== 'bitcoin' || !isRestPath(path)) throw new Problem('unknown', 'NotFound', 'There is nothing at this path.')
    const reply = await this.forwarding.ask(workload, { path, calls: [], onLeave: (leave) => onAbandoned(context, leave) })
    const bytesOut = await passOn(context, reply)
    countCalls(workload.meter, 'rest', { calls: 1, errors: reply.status >= 400 ? 1 : 0, bytesOut })
  }
}
