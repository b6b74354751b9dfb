/**
 * Taken by whoever changes the mempool, or the chain, in one transaction: the other one waits, and then sees what was done.
 * A lock on the table itself would do as well, and keep autovacuum from ever ending on it.
 */
export const MEMPOOL_LOCK = `SELECT pg_advisory_xact_lock(hashtext('mempool'), hashtext(current_schema()))`
