import { CHUNK_SIZE } from './ledger.js'

/** Where the books of a sealed day contradict themselves. */
export interface DayDifference {
  readonly serial: number
  readonly amount: string
}

/** Gwei, by which a sealed day differs from the lines of its epochs, or from the end of the day before; or wei, from its blocks. */
export const DAY_DIFFERENCES = `
  WITH sealed AS (SELECT validator_day.* FROM validator_day JOIN validator USING (serial) WHERE chain = $1 AND day = $2), lines AS (
    SELECT piece * ${CHUNK_SIZE} + line.at - 1 AS serial,
           sum(coalesce(deposits, 0) - coalesce(withdrawals, 0) + coalesce(rewards, 0) - coalesce(penalties, 0) + coalesce(rounding, 0)
             + coalesce(unexplained, 0)) AS gwei
      FROM epoch_chunk, unnest(deposits_gwei, withdrawals_gwei, rewards_gwei, penalties_gwei, rounding_gwei, unexplained_gwei) WITH ORDINALITY
             AS line (deposits, withdrawals, rewards, penalties, rounding, unexplained, at)
     WHERE chain = $1 AND day = $2 GROUP BY 1
  ), differences AS (
    SELECT serial, sealed.closing_gwei - sealed.opening_gwei - coalesce(lines.gwei, 0) AS amount FROM sealed LEFT JOIN lines USING (serial)
    UNION ALL
    SELECT serial, sealed.opening_gwei - before.closing_gwei FROM sealed JOIN validator_day AS before USING (serial) WHERE before.day = $2::date - 1
    UNION ALL
    SELECT serial, sealed.execution_rewards_wei - coalesce(sum(paid.amount_wei), 0)
      FROM sealed LEFT JOIN execution_reward AS paid USING (serial, day) GROUP BY serial, sealed.execution_rewards_wei
  )
  SELECT serial::int, amount::text FROM differences WHERE amount <> 0 ORDER BY 1`
