import { Injectable } from '@nestjs/common'
import type { StakingChain } from '../chains/chain.js'
import { type BlockReward, BlockRewardsService } from './block-rewards.service.js'
import type { FinalizedBlock } from './finalized-blocks.service.js'
import type { LedgerMember } from './ledger.js'
import { type MissedProposal, MissedProposalsService } from './missed-proposals.service.js'

export interface Proposals {
  /** Undefined if no node named the proposers of the empty slots. */
  readonly missedProposals: readonly MissedProposal[] | undefined
  readonly rewards: readonly BlockReward[]
}

/** Reads what our validators proposed in some slots, and what they missed. */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly missed: MissedProposalsService,
    private readonly rewards: BlockRewardsService,
  ) {}

  async read(
    chain: StakingChain,
    slots: readonly number[],
    blocks: readonly FinalizedBlock[],
    members: readonly LedgerMember[],
  ): Promise<Proposals> {
    const filled = new Set(blocks.map(({ slot }) => slot))
    const empty = slots.filter((slot) => !filled.has(slot))
    const missedProposals = await this.missed.read(chain, empty, members)
    return { missedProposals, rewards: await this.rewards.read(chain.settings.name, blocks, members) }
  }
}
