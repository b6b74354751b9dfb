import { Injectable } from '@nestjs/common'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { type BlockReward, BlockRewardsService } from './block-rewards.service.js'
import { BreakdownService } from './breakdown.service.js'
import type { EpochData } from './epoch-reader.service.js'
import type { Booking } from './ledger.js'
import { LedgerAlarmsService } from './ledger-alarms.service.js'

/** What is read and checked besides an epoch's bookings. */
@Injectable()
export class EpochExtrasService {
  constructor(
    private readonly chains: ChainsService,
    private readonly blocks: BlockRewardsService,
    private readonly breakdowns: BreakdownService,
    private readonly alarms: LedgerAlarmsService,
  ) {}

  rewards(chain: string, { blocks, members, arrivals }: EpochData): Promise<BlockReward[]> {
    return this.blocks.read(chain, blocks, [...members, ...arrivals])
  }

  /** From the epoch's breakdown, or else from a node. */
  async idealGwei(chain: string, epoch: number, answers?: EpochData): Promise<bigint | undefined> {
    if (answers?.breakdown?.idealGwei !== undefined) return answers.breakdown.idealGwei
    return epoch === 0 ? undefined : this.breakdowns.idealGwei(this.chains.beacon(chain), epoch - 1)
  }

  check(chain: StakingChain, epoch: number, bookings: readonly Booking[]): void {
    this.alarms.check(chain.settings.name, epoch, bookings)
  }
}
