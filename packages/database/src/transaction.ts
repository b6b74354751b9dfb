import type { Pool, PoolClient } from 'pg'
import { databaseProblem } from './database-problem.js'

/**
 * Commits all that the work wrote, or nothing.
 * When the connection is lost during COMMIT nobody can know which: that is `DatabaseUnavailable` like any other loss.
 */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw databaseProblem(error) ?? error
  })
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await commit(client)
    client.release()
    return result
  } catch (error) {
    const problem = databaseProblem(error)
    // A server that does not answer is not asked to roll back: it does so when the connection closes.
    if (problem) client.release(true)
    else await rollBack(client)
    throw problem ?? error
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  // Postgres answers the COMMIT of a failed transaction with ROLLBACK, and no error.
  if (command !== 'COMMIT') throw new Error('A statement of the transaction had failed, and its error was not passed on.')
}

async function rollBack(client: PoolClient): Promise<void> {
  await client.query('ROLLBACK').then(
    () => client.release(),
    (error) => client.release(error),
  )
}
