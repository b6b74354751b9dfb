import { Injectable } from '@nestjs/common'
import { GWEI_PER_ETH, WEI_PER_GWEI } from '@trestle/ethereum/deposit'
import { Pool } from 'pg'
import { StakingDatabase } from '../database.module.js'
import type { DayRange } from './day-range.js'
import type { Earned } from './earnings.js'
import { chunkNumberOf } from './ledger.js'

const COLUMNS = `serial, day, closing_gwei, effective_eth, slashed, rewards_gwei, penalties_gwei, rounding_gwei, active_epochs,
  stake_eth_epochs, execution_rewards_wei`

// For a day, rounding is a gain or a loss. Joins the serials: a list of thousands would be searched for every row.
const LIST = `
  WITH requested AS (SELECT * FROM unnest($1::int[], $3::date[], $4::date[]) AS requested (serial, first_day, last_day)), days AS (
    SELECT sealed.* FROM requested, LATERAL (
      SELECT ${COLUMNS} FROM validator_day AS day WHERE day.serial = requested.serial AND day BETWEEN first_day AND last_day) AS sealed
    UNION ALL
    SELECT ${COLUMNS} FROM open_reward_day JOIN requested USING (serial)
     WHERE piece = ANY ($2::int[]) AND day BETWEEN $5 AND $6 AND day BETWEEN first_day AND last_day
  ), sums AS (
    SELECT serial,
           sum(rewards_gwei + greatest(rounding_gwei, 0)) AS rewards_gwei,
           sum(penalties_gwei + greatest(-rounding_gwei, 0)) AS penalties_gwei,
           sum(execution_rewards_wei) AS execution_rewards_wei,
           count(*) FILTER (WHERE active_epochs > 0)::int AS active_days,
           sum(stake_eth_epochs) AS stake_eth_epochs,
           -- The last day.
           max(ARRAY[day - '2020-01-01'::date, closing_gwei, effective_eth]) AS last,
           bool_or(slashed) AS slashed
      FROM days GROUP BY serial
  )
  SELECT *, last[2] AS closing_gwei, last[3]::int AS effective_eth FROM sums`

const SLASHED = `
  SELECT DISTINCT serial FROM unnest($1::int[], $2::date[]) AS requested (serial, before) JOIN validator_day USING (serial)
   WHERE day < before AND slashed`

/** Days of a validator; of one validator there may be several such ranges, without a day in common. */
export interface DaysOf extends DayRange {
  readonly serial: number
}

/** Reads sums of the ledger. */
@Injectable()
export class EarningsRepository {
  constructor(
    private readonly pool: Pool,
    private readonly database: StakingDatabase,
  ) {}

  /** By serial. Validators that were not on the chain in these days are missing. */
  async list(days: readonly DaysOf[]): Promise<Map<number, Earned>> {
    const [serials, from, to] = [days.map(({ serial }) => serial), days.map((each) => each.from), days.map((each) => each.to)]
    const chunks = [...new Set(serials.map(chunkNumberOf))]
    const values = [serials, chunks, from, to, from.toSorted()[0], to.toSorted().at(-1)]
    const { rows } = await this.pool.query<EarnedRow>({ name: 'list_earned_days', text: LIST, values })
    return new Map(rows.map((row) => [row.serial, toEarned(row)]))
  }

  /** Those that had been slashed before these days. */
  async listSlashed(days: readonly DaysOf[]): Promise<Set<number>> {
    const values = [days.map(({ serial }) => serial), days.map(({ from }) => from)]
    const { rows } = await this.pool.query<{ serial: number }>(SLASHED, values)
    return new Set(rows.map(({ serial }) => serial))
  }

  /** Undefined before the ledger begins. */
  async findChain(chain: string): Promise<{ epochMs: number; idealGwei: bigint } | undefined> {
    const cursor = await this.database.rewardCursor.findUnique({ where: { chain } })
    return cursor ? { epochMs: cursor.epochMs, idealGwei: cursor.idealRewardGwei ?? 0n } : undefined
  }

  async sumChain(chain: string, { from, to }: DayRange): Promise<Pick<Earned, 'stakeEthEpochs' | 'executionRewardsWei'>> {
    const where = { chain, day: { gte: new Date(from), lte: new Date(to) } }
    const { _sum } = await this.database.chainDay.aggregate({ where, _sum: { stakeEthEpochs: true, executionRewardsWei: true } })
    return { stakeEthEpochs: _sum.stakeEthEpochs ?? 0n, executionRewardsWei: BigInt(_sum.executionRewardsWei?.toFixed() ?? 0) }
  }
}

interface EarnedRow {
  readonly serial: number
  readonly rewards_gwei: string
  readonly penalties_gwei: string
  readonly active_days: number
  readonly stake_eth_epochs: string
  readonly execution_rewards_wei: string
  readonly closing_gwei: string
  readonly effective_eth: number
  readonly slashed: boolean
}

function toEarned(row: EarnedRow): Earned {
  return {
    consensusRewardsWei: BigInt(row.rewards_gwei) * WEI_PER_GWEI,
    consensusPenaltiesWei: BigInt(row.penalties_gwei) * WEI_PER_GWEI,
    executionRewardsWei: BigInt(row.execution_rewards_wei),
    activeDays: row.active_days,
    stakeEthEpochs: BigInt(row.stake_eth_epochs),
    balanceWei: BigInt(row.closing_gwei) * WEI_PER_GWEI,
    effectiveBalanceWei: BigInt(row.effective_eth) * GWEI_PER_ETH * WEI_PER_GWEI,
    slashed: row.slashed,
  }
}
