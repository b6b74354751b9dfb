import { Injectable } from '@nestjs/common'
import type { BeaconPayload } from '../chains/beacon-responses.js'
import { ChainsService } from '../chains/chains.service.js'
import type { Receipt } from '../chains/execution-responses.js'
import { type BlockEarnings, blockEarningsOf } from './block-earnings.js'
import type { FinalizedBlock } from './finalized-blocks.service.js'
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

  async read(chain: string, blocks: readonly FinalizedBlock[], members: readonly LedgerMember[]): Promise<BlockReward[]> {
    const serials = new Map(members.map(({ index, serial }) => [index, serial]))
    const rewards: BlockReward[] = []
    for (const block of blocks) {
      const serial = serials.get(block.proposerIndex)
      // A block of an unknown fork shows no payment.
      if (serial === undefined || !block.payload) continue
      const { blockHash, feeRecipient } = block.payload
      rewards.push({ slot: block.slot, serial, blockHash, feeRecipient, ...(await this.earned(chain, block.payload, serial)) })
    }
    return rewards
  }

  private async earned(chain: string, { blockHash, feeRecipient }: BeaconPayload, serial: number): Promise<BlockEarnings> {
    const execution = this.chains.execution(chain)
    if (!execution.isConfigured) return { state: 'unverified', amountWei: 0n }
    const block = await execution.blockByHash(blockHash)
    const receipts = block && (await execution.receipts(block.number))
    if (!receipts) throw new Error(`No execution node has the finalized block ${blockHash.toString('hex')} of ${chain}.`)
    // By number a node answers with another block if it has not followed the chain.
    const isOf = ({ transactionHash }: Receipt, i: number) => block.transactions[i]?.hash.equals(transactionHash) === true
    if (receipts.length !== block.transactions.length || !receipts.every(isOf))
      throw new Error(`The receipts are not of the finalized block ${blockHash.toString('hex')} of ${chain}.`)
    const last = block.transactions.at(-1)
    const lastTransaction = last && { from: last.from, to: last.to, valueWei: last.valueWei }
    const addresses = await this.ledger.listFeeAddresses(serial)
    return blockEarningsOf({ feeRecipient, baseFeePerGas: block.baseFeePerGas, lastTransaction, receipts }, addresses)
  }
}
