import { Injectable } from '@nestjs/common'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import type { LedgerMember } from './ledger.js'

export interface MissedProposal {
  readonly slot: number
  readonly serial: number
}

/** Finds the proposers of empty slots. */
@Injectable()
export class MissedProposalsService {
  constructor(private readonly chains: ChainsService) {}

  /** The empty slots of these validators; undefined if no node names the proposers. */
  async read(chain: StakingChain, empty: readonly number[], members: readonly LedgerMember[]): Promise<MissedProposal[] | undefined> {
    const serials = new Map(members.map(({ index, serial }) => [index, serial]))
    const missed: MissedProposal[] = []
    for (const epoch of new Set(empty.map((slot) => Math.floor(slot / chain.slotsPerEpoch)))) {
      const duties = await this.chains.beacon(chain.settings.name).proposerDuties(epoch)
      if (!duties) return undefined
      for (const { slot, validatorIndex } of duties) {
        const serial = serials.get(validatorIndex)
        if (serial !== undefined && empty.includes(slot)) missed.push({ slot, serial })
      }
    }
    return missed
  }
}
