import { Injectable } from '@nestjs/common'
import type { Chain } from '../chains/chain-facts.js'
import { Chains } from '../chains/chains.service.js'
import { type BlockReward, BlockRewards } from './block-rewards.service.js'
import { BreakdownReader } from './breakdown.service.js'
import type { EpochAnswers } from './epoch-reader.service.js'
import type { Booking } from './ledger.js'
import { LedgerAlarms } from './ledger-alarms.service.js'

/** What goes with the lines of an epoch. */
@Injectable()
export class EpochExtras {
  constructor(
    private readonly chains: Chains,
    private readonly blocks: BlockRewards,
    private readonly breakdowns: BreakdownReader,
    private readonly alarms: LedgerAlarms,
  ) {}

  rewards(chain: string, { blocks, members, arrivals }: EpochAnswers): Promise<BlockReward[]> {
    return this.blocks.read(chain, blocks, [...members, ...arrivals])
  }

  /** Where the epoch itself has not told it, and a node might. */
  async idealGwei(chain: string, epoch: number, answers?: EpochAnswers): Promise<bigint | undefined> {
    if (answers?.breakdown?.idealGwei !== undefined) return answers.breakdown.idealGwei
    return epoch === 0 ? undefined : this.breakdowns.idealGwei(this.chains.beacon(chain), epoch - 1)
  }

  look(chain: Chain, epoch: number, bookings: readonly Booking[]): void {
    this.alarms.look(chain.settings.name, epoch, bookings)
  }
}
