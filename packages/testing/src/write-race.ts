import type { Pool } from 'pg'
import { eventually } from './eventually.js'

/**
 * Starts two transactions while nobody may write to the table, the second once the first waits there: it holds what it has locked until then. Then
 * both go on; returns how they ended.
 */
export async function raceToWrite<A, B>(
  pool: Pool,
  table: string,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[PromiseSettledResult<A>, PromiseSettledResult<B>]> {
  const holder = await pool.connect()
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`)
    const ahead = first()
    const untilWaiting = (count: number) =>
      eventually(async () => ((await waitingForLocks(pool)) >= count ? true : undefined), `${count} of two transactions wait`, 2_000)
    const ended = Promise.allSettled([ahead, untilWaiting(1).then(second)])
    await untilWaiting(2)
    await holder.query('COMMIT')
    return await ended
  } finally {
    holder.release()
  }
}

/** How many transactions on the pool's database wait for a lock. */
export async function waitingForLocks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rows[0]?.count ?? 0
}
