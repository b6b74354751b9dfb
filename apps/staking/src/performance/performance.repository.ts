import { Injectable } from '@nestjs/common'
import { StakingDatabase } from '../database.module.js'

const WEI_PER_GWEI = 1_000_000_000n

export interface OwnedPubkey {
  readonly userId: string
  readonly chain: string
  /** 96 hexadecimal digits. */
  readonly pubkey: string
}

export interface ValidatorBalance {
  readonly serial: number
  readonly balanceWei: bigint
  readonly effectiveBalanceWei: bigint
}

@Injectable()
export class PerformanceRepository {
  constructor(private readonly database: StakingDatabase) {}

  async findOwned({ userId, chain, pubkey }: OwnedPubkey): Promise<ValidatorBalance | undefined> {
    const row = await this.database.validator.findUnique({
      where: { userId, chain, pubkey: Buffer.from(pubkey, 'hex'), removedAt: null },
      select: { serial: true, balanceGwei: true, effectiveBalanceGwei: true },
    })
    if (!row) return undefined
    const { serial, balanceGwei, effectiveBalanceGwei } = row
    return { serial, balanceWei: balanceGwei * WEI_PER_GWEI, effectiveBalanceWei: effectiveBalanceGwei * WEI_PER_GWEI }
  }
}
