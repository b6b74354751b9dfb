import type { Pool } from 'pg'

const BATCH = 1000

/** Deletes the rows of a table that meet a condition. SKIP LOCKED keeps processes from blocking each other; the limit keeps transactions short. */
export async function deleteInBatches(pool: Pool, table: string, condition: string, values: readonly unknown[] = []): Promise<void> {
  const statement = `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
  while ((await pool.query(statement, [...values])).rowCount === BATCH);
}
