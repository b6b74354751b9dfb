import { Injectable } from '@nestjs/common'
import type { Outcome } from '../framing/outcome.js'
import { Broadcast } from './broadcast.service.js'
import { Calls } from './calls.service.js'
import type { LogFilter, LogLimits } from './log-filter.js'
import { LogsService } from './logs.service.js'
import type { UpstreamRequest } from './upstream-request.js'

/** The nodes behind the gateway, as one: the door of this folder. Each rejects with an RpcFailure when none can answer. */
@Injectable()
export class Upstreams {
  constructor(
    private readonly calls: Calls,
    private readonly transactions: Broadcast,
    private readonly search: LogsService,
  ) {}

  call(request: UpstreamRequest): Promise<Outcome> {
    return this.calls.call(request)
  }

  /** `eth_sendRawTransaction`. */
  broadcast(paramsJson: string): Promise<Outcome> {
    return this.transactions.broadcast(paramsJson)
  }

  /** `eth_getLogs`. */
  logs(filter: LogFilter, limits: LogLimits): Promise<Outcome> {
    return this.search.logs(filter, limits)
  }
}
