import { DatabaseError, Pool, type PoolClient } from 'pg'
import { markLostConnection } from './database-problem.js'

export interface PoolOptions {
  readonly url: string
  /** The service's schema, which its role's `search_path` names too. */
  readonly schema: string
  readonly max?: number
  /** How long a statement may take; `Infinity` for work that nobody waits for. */
  readonly statementMs?: number
}

// A caller shall have an answer within three seconds, also while Postgres hangs.
const CONNECT_MS = 2500
const STATEMENT_MS = 2500

/** The connections of one process to its service's schema; no wait for them is without an end, unless the caller wants it so. */
export function createPool({ url, schema, max = 10, statementMs = STATEMENT_MS }: PoolOptions): Pool {
  const pool = new ServicePool({
    connectionString: url,
    application_name: schema,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    // The server gives up a little earlier than we do, and so does not work on for somebody who has left.
    ...(Number.isFinite(statementMs) && { statement_timeout: statementMs, query_timeout: statementMs + 200 }),
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  })
  // Without a listener, losing a connection that is checked out would end the process.
  pool.on('connect', (client) => client.on('error', markLostConnection))
  // An idle connection was lost, and the pool has dropped it.
  pool.on('error', () => {})
  return pool
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (reason?: unknown) => void) => void

/** Whatever keeps it from giving a connection means that Postgres is away. */
class ServicePool extends Pool {
  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (!callback) return super.connect().catch(markAndThrow)
    super.connect((error, client, done) => {
      if (error) markLostConnection(error)
      if (client) keepAfterRefusals(client)
      callback(error, client, done)
    })
    return undefined
  }
}

function markAndThrow(error: Error): never {
  markLostConnection(error)
  throw error
}

// `pool.query` comes by here, and drops its connection after any error. One that Postgres only refused a statement on is as good
// as before, and a new one costs both sides a dozen times the statement.
function keepAfterRefusals(client: PoolClient): void {
  const { release } = client
  client.release = (reason) => release(reason instanceof DatabaseError && reason.severity === 'ERROR' ? undefined : reason)
}
