import { Injectable } from '@nestjs/common'
import type { BeaconBlock } from '../chains/beacon-responses.js'
import { ChainsService } from '../chains/chains.service.js'
import { type BlockEarnings, blockEarningsOf } from './block-earnings.js'
import type { LedgerMember } from './ledger.js'
import { LedgerRepository } from './ledger.repository.js'

export interface BlockReward extends BlockEarnings {
  readonly slot: number
  readonly serial: number
  readonly blockHash: Buffer
  readonly feeRecipient: Buffer
}

/** Reads from the execution layer what the blocks of our validators paid. */
@Injectable()
export class BlockRewardsService {
  constructor(
    private readonly chains: ChainsService,
    private readonly ledger: LedgerRepository,
  ) {}

  async read(chain: string, blocks: readonly BeaconBlock[], members: readonly LedgerMember[]): Promise<BlockReward[]> {
    const serials = new Map(members.map(({ index, serial }) => [index, serial]))
    const rewards: BlockReward[] = []
    for (const block of blocks) {
      const serial = serials.get(block.proposerIndex)
      if (serial === undefined) continue
      const { slot, executionBlockHash: blockHash, feeRecipient } = block
      rewards.push({ slot, serial, blockHash, feeRecipient, ...(await this.earned(chain, block, serial)) })
    }
    return rewards
  }

  private async earned(chain: string, { executionBlockHash, feeRecipient }: BeaconBlock, serial: number): Promise<BlockEarnings> {
    const execution = this.chains.execution(chain)
    if (!execution.isConfigured) return { state: 'unverified', amountWei: 0n }
    const block = await execution.blockByHash(executionBlockHash)
    const receipts = block && (await execution.receipts(block.number))
    if (!receipts) throw new Error(`No execution node has the finalized block ${executionBlockHash.toString('hex')} of ${chain}.`)
    const last = block.transactions.at(-1)
    const lastTransaction = last && { from: last.from, to: last.to, valueWei: last.valueWei }
    const addresses = await this.ledger.listFeeAddresses(serial)
    return blockEarningsOf({ feeRecipient, baseFeePerGas: block.baseFeePerGas, lastTransaction, receipts }, addresses)
  }
}
