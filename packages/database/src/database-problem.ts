import { Problem, retryAfter } from '@trestle/problem/problem'

/** The Problem for a caller while Postgres is unavailable, or undefined if the error means something else. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem && error.code === 'DatabaseUnavailable') return error
  if (!(typeof error === 'object' && error !== null && meansUnavailable(error))) return undefined
  return new Problem('unavailable', 'DatabaseUnavailable', 'The database cannot be reached at the moment; try again.', {
    cause: error,
    headers: retryAfter(1),
  })
}

const lostConnections = new WeakSet<object>()

/** Marks an error as one of a connection to Postgres: a bare ECONNRESET does not say which socket it was. */
export function markLostConnection(error: object): void {
  lostConnections.add(error)
}

// SQLSTATE: connection exceptions, insufficient resources, shutting down or starting up; read-only after a failover,
// idle in a transaction for too long, statement timeout; and login failures.
const SQLSTATE = /^(08...|53...|57P..|25006|25P03|57014|28000|28P01|3D000)$/

// Messages of pg that have no code.
const PG_MESSAGES = new Set([
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

// Socket errors, as adapter-pg translates them.
const ADAPTER_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TlsConnectionError'])

// Prisma: no connection was free for an interactive transaction, or it took too long.
const PRISMA_TRANSACTION_TIMEOUT = 'P2028'

interface AdapterError {
  cause?: { originalCode?: string; kind?: string }
}

/** Members of an error of pg, of Prisma's adapter, or of Prisma around it. */
interface DatabaseError extends AdapterError {
  code?: string
  message?: string
  meta?: { driverAdapterError?: AdapterError }
}

/** Postgres' error code, from an error of pg or of Prisma. */
export function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code }: DatabaseError = error
  return adapterCauseOf(error).originalCode ?? code
}

/** Prisma passes on the adapter's error itself when the COMMIT of a transaction fails. */
function adapterCauseOf(error: DatabaseError): NonNullable<AdapterError['cause']> {
  return (error.meta?.driverAdapterError ?? error).cause ?? {}
}

function meansUnavailable(error: DatabaseError): boolean {
  const { kind = '' } = adapterCauseOf(error)
  return (
    lostConnections.has(error) ||
    SQLSTATE.test(sqlStateOf(error) ?? '') ||
    ADAPTER_KINDS.has(kind) ||
    PG_MESSAGES.has(error.message ?? '') ||
    error.code === PRISMA_TRANSACTION_TIMEOUT
  )
}
