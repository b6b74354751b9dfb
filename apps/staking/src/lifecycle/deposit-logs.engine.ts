import { Injectable } from '@nestjs/common'
import type { ExecutionClient } from '../chains/execution.client.js'
import type { LoggedDeposit } from '../chains/execution-responses.js'

/** About a day. The beacon chain has queued or processed what is older. */
const LOOKBACK_BLOCKS = 8_192
const BLOCKS_PER_REQUEST = 1_024
/** The last blocks may be replaced in a reorganization, and are read again. */
const REREAD_BLOCKS = 64
const MAX_DEPOSITS = 50_000

/** The recent logs of each chain's deposit contract. */
@Injectable()
export class DepositLogs {
  private readonly chains = new Map<string, { next: number; deposits: readonly LoggedDeposit[] }>()

  /** Reads what is new, and returns all. */
  async read(chain: string, execution: ExecutionClient): Promise<readonly LoggedDeposit[]> {
    const latest = await execution.latestBlock()
    const known = this.chains.get(chain) ?? { next: latest - LOOKBACK_BLOCKS, deposits: [] }
    // A chain that is shorter than before was restarted from genesis.
    let next = Math.max(0, Math.min(known.next, latest) - REREAD_BLOCKS)
    const deposits = known.deposits.filter(({ blockNumber }) => blockNumber < next)
    while (next <= latest) {
      const to = Math.min(latest, next + BLOCKS_PER_REQUEST - 1)
      deposits.push(...(await execution.depositLogs(next, to)))
      next = to + 1
    }
    const kept = { next, deposits: deposits.slice(-MAX_DEPOSITS) }
    this.chains.set(chain, kept)
    return kept.deposits
  }
}
