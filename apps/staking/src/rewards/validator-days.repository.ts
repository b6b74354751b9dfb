import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { DayRange } from './day-range.js'
import type { Day } from './days.js'
import { chunkNumberOf } from './ledger.js'
import type { LedgerDay } from './validator-day.js'

const COLUMNS = `day, closing_gwei, effective_eth, withdrawals_gwei, deposits_gwei, rewards_gwei, penalties_gwei, rounding_gwei, active_epochs,
  execution_rewards_wei, attestations, missed_attestations, sync_duties, missed_sync_duties, unexplained_gwei`

// Blocks are looked up by day: for a year this is faster than reading them all.
const LIST = `
  WITH days AS (
    SELECT ${COLUMNS}, true AS sealed FROM validator_day WHERE serial = $2 AND day BETWEEN $3 AND $4
    UNION ALL
    SELECT ${COLUMNS}, false FROM open_reward_day WHERE chain = $1 AND piece = $5 AND serial = $2 AND day BETWEEN $3 AND $4
  )
  SELECT days.*, day::text,
         (SELECT count(*)::int FROM execution_reward AS made WHERE made.day = days.day AND made.serial = $2) AS made_blocks,
         (SELECT count(*)::int FROM missed_proposal AS missed WHERE missed.day = days.day AND missed.serial = $2) AS missed_blocks,
         (SELECT untold_epochs FROM chain_day WHERE chain_day.chain = $1 AND chain_day.day = days.day) AS untold_epochs
    FROM days ORDER BY days.day`

/** Reads the ledger of one validator, day by day. */
@Injectable()
export class ValidatorDaysRepository {
  constructor(private readonly pool: Pool) {}

  /** The oldest first, without days on which it was not on the chain. */
  async list({ chain, serial }: { chain: string; serial: number }, { from, to }: DayRange): Promise<LedgerDay[]> {
    const values = [chain, serial, from, to, chunkNumberOf(serial)]
    const { rows } = await this.pool.query<Row>({ name: 'list_validator_days', text: LIST, values })
    return rows.map(toValidatorDay)
  }
}

interface Row {
  readonly day: Day
  readonly sealed: boolean
  readonly closing_gwei: string
  readonly effective_eth: number
  readonly withdrawals_gwei: string
  readonly deposits_gwei: string
  readonly rewards_gwei: string
  readonly penalties_gwei: string
  readonly rounding_gwei: string
  readonly unexplained_gwei: string
  readonly active_epochs: number
  readonly execution_rewards_wei: string
  readonly attestations: number | null
  readonly missed_attestations: number | null
  readonly sync_duties: number | null
  readonly missed_sync_duties: number | null
  readonly made_blocks: number
  readonly missed_blocks: number
  readonly untold_epochs: number | null
}

function toValidatorDay(row: Row): LedgerDay {
  return {
    day: row.day,
    isSealed: row.sealed,
    balanceGwei: BigInt(row.closing_gwei),
    effectiveEth: row.effective_eth,
    withdrawalsGwei: BigInt(row.withdrawals_gwei),
    depositsGwei: BigInt(row.deposits_gwei),
    rewardsGwei: BigInt(row.rewards_gwei),
    penaltiesGwei: BigInt(row.penalties_gwei),
    roundingGwei: BigInt(row.rounding_gwei),
    unexplainedGwei: BigInt(row.unexplained_gwei),
    executionRewardsWei: BigInt(row.execution_rewards_wei),
    activeEpochs: row.active_epochs,
    attestations: counted(row.attestations, row.missed_attestations),
    syncDuties: counted(row.sync_duties, row.missed_sync_duties),
    proposals: row.untold_epochs === 0 ? { due: row.made_blocks + row.missed_blocks, missed: row.missed_blocks } : undefined,
  }
}

function counted(due: number | null, missed: number | null): LedgerDay['attestations'] {
  return due === null ? undefined : { due, missed: missed ?? 0 }
}
