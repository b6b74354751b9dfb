import type { Pool, PoolClient } from 'pg'
import { databaseProblem } from './database-problem.js'

/**
 * Commits all that the work wrote, or nothing.
 * If the connection is lost during COMMIT it is unknown which: `DatabaseUnavailable`, as for any lost connection.
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
    // A server that does not respond gets no ROLLBACK: it rolls back when the connection closes.
    if (problem) client.release(true)
    else await rollBack(client)
    throw problem ?? error
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  // Postgres answers the COMMIT of a failed transaction with ROLLBACK, without an error.
  if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, and its error was swallowed.')
}

async function rollBack(client: PoolClient): Promise<void> {
  await client.query('ROLLBACK').then(
    () => client.release(),
    (error) => client.release(error),
  )
}
