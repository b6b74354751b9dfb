import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

const WEI_PER_GWEI = 1_000_000_000n

export interface Owned {
  readonly userId: string
  readonly chain: string
  /** 96 hexadecimal digits. */
  readonly pubkey: string
}

export interface SeenValidator {
  readonly serial: number
  readonly balanceWei: bigint
  readonly effectiveBalanceWei: bigint
}

const FIND = `
  SELECT serial, balance_gwei, effective_balance_gwei FROM validator
  WHERE pubkey = $3 AND user_id = $1 AND chain = $2 AND removed_at IS NULL`

@Injectable()
export class PerformanceRepository {
  constructor(private readonly pool: Pool) {}

  async findOwned({ userId, chain, pubkey }: Owned): Promise<SeenValidator | undefined> {
    const { rows } = await this.pool.query<Row>(FIND, [userId, chain, Buffer.from(pubkey, 'hex')])
    return rows[0] && toSeen(rows[0])
  }
}

interface Row {
  readonly serial: number
  readonly balance_gwei: string
  readonly effective_balance_gwei: string
}

function toSeen({ serial, balance_gwei, effective_balance_gwei }: Row): SeenValidator {
  return { serial, balanceWei: BigInt(balance_gwei) * WEI_PER_GWEI, effectiveBalanceWei: BigInt(effective_balance_gwei) * WEI_PER_GWEI }
}
