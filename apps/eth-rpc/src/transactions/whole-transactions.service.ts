import { Injectable } from '@nestjs/common'
import { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import { isNull, knownMethod } from '../upstreams/upstream-request.js'
import { asPending } from './as-pending.js'

const LOOK_UP = knownMethod('eth_getTransactionByHash')
const MAX_CONCURRENT_CALLS = 10

/** Pending transactions by their hashes: nodes announce only those. */
@Injectable()
export class WholeTransactionsService {
  constructor(private readonly upstreams: UpstreamPool) {}

  /** As JSON, in their order. What no node knows any more is left out. */
  async list(hashes: readonly string[]): Promise<string[]> {
    const found: (string | undefined)[] = []
    const remaining = hashes.entries()
    const findRemaining = async () => {
      for (const [index, hash] of remaining) found[index] = await this.find(hash)
    }
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_CALLS, hashes.length) }, findRemaining))
    return found.filter((each) => each !== undefined)
  }

  private async find(hash: string): Promise<string | undefined> {
    const request = { method: LOOK_UP, paramsJson: JSON.stringify([hash]), pending: true }
    // It is as good as unknown while no node answers.
    const outcome = await this.upstreams.call(request).catch(() => undefined)
    return outcome?.member === 'result' && !isNull(outcome.json) ? asPending(outcome.json.toString()) : undefined
  }
}
