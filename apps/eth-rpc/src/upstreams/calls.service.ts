import { Inject, Injectable } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import type { Outcome } from '../framing/outcome.js'
import { ENV } from '../settings.module.js'
import { Call } from './call.service.js'
import { Fleet } from './fleet.service.js'
import { MAX_ANSWER_BYTES } from './upstream.client.js'
import type { UpstreamRequest } from './upstream-request.js'

/** Has calls answered by whichever upstream can. */
@Injectable()
export class Calls {
  constructor(
    private readonly fleet: Fleet,
    @Inject(ENV) private readonly env: Pick<EthRpcEnv, 'CALL_TIMEOUT_MS'>,
  ) {}

  /** Rejects with an RpcFailure when none can answer. */
  call(request: UpstreamRequest): Promise<Outcome> {
    const { timeoutMs = this.env.CALL_TIMEOUT_MS } = request
    return new Call(this.fleet, request, { timeoutMs, maxBytes: MAX_ANSWER_BYTES }).outcome
  }
}
