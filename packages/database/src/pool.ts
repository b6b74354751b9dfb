import { DatabaseError, Pool, type PoolClient } from 'pg'
import { markLostConnection } from './database-problem.js'

interface PoolOptions {
  readonly url: string
  /** The service's schema, which is also the `search_path` of its role. */
  readonly schema: string
  readonly max?: number
  /** The time limit of a statement; `Infinity` for background work. */
  readonly statementMs?: number
}

// A caller gets a response within three seconds, even while Postgres hangs.
const CONNECT_MS = 2500
const STATEMENT_MS = 2500

/** The connections of one process to its service's schema. Every wait has a limit, unless `statementMs` is infinite. */
export function createPool({ url, schema, max = 10, statementMs = STATEMENT_MS }: PoolOptions): Pool {
  const pool = new ServicePool({
    connectionString: url,
    application_name: schema,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    // The server gives up a little earlier than we do, so that it does not work for a caller who has left.
    ...(Number.isFinite(statementMs) && { statement_timeout: statementMs, query_timeout: statementMs + 200 }),
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  })
  // Without a listener, the loss of a connection in use would end the process.
  pool.on('connect', (client) => client.on('error', markLostConnection))
  // An idle connection was lost, and the pool has removed it.
  pool.on('error', () => {})
  return pool
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (reason?: unknown) => void) => void

/** An error while connecting always means that Postgres is unavailable. */
class ServicePool extends Pool {
  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (!callback) return super.connect().catch(markAndThrow)
    super.connect((error, client, done) => {
      if (error) markLostConnection(error)
      if (client) keepAfterStatementErrors(client)
      callback(error, client, done)
    })
    return undefined
  }
}

function markAndThrow(error: Error): never {
  markLostConnection(error)
  throw error
}

// `pool.query` releases its connection with any error, which closes it. A connection on which Postgres refused a statement is as
// good as before, and a new one costs both sides a dozen times the statement.
function keepAfterStatementErrors(client: PoolClient): void {
  const { release } = client
  client.release = (reason) => release(reason instanceof DatabaseError && reason.severity === 'ERROR' ? undefined : reason)
}
