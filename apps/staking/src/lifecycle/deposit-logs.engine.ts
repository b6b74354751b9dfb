import { Injectable } from '@nestjs/common'
import type { ExecutionClient } from '../chains/execution.client.js'
import type { LoggedDeposit } from '../chains/execution-responses.js'

/** About a day: what is older the beacon chain has in its queue, or has made a validator of. */
const LOOK_BACK_BLOCKS = 8_192
const BLOCKS_AT_ONCE = 1_024
/** A block may be replaced by another; the last ones are read again. */
const REREAD_BLOCKS = 64
const MAX_DEPOSITS = 50_000

/** The deposits that the contract of each chain has logged lately. */
@Injectable()
export class DepositLogs {
  private readonly chains = new Map<string, { next: number; deposits: readonly LoggedDeposit[] }>()

  /** Reads what is new, and gives all. */
  async read(chain: string, execution: ExecutionClient): Promise<readonly LoggedDeposit[]> {
    const latest = await execution.latestBlock()
    const known = this.chains.get(chain) ?? { next: latest - LOOK_BACK_BLOCKS, deposits: [] }
    // A chain that is shorter than it was has been begun anew.
    let next = Math.max(0, Math.min(known.next, latest) - REREAD_BLOCKS)
    const deposits = known.deposits.filter(({ blockNumber }) => blockNumber < next)
    while (next <= latest) {
      const to = Math.min(latest, next + BLOCKS_AT_ONCE - 1)
      deposits.push(...(await execution.depositLogs(next, to)))
      next = to + 1
    }
    const kept = { next, deposits: deposits.slice(-MAX_DEPOSITS) }
    this.chains.set(chain, kept)
    return kept.deposits
  }
}
