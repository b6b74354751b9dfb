import { ROW_LOCK } from '@trestle/database/row-lock'

/**
 * Taken by every transaction that changes the mempool or the chain: the other writer waits, and then sees the change.
 * Not a lock on the table, which would keep interrupting autovacuum.
 */
export const MEMPOOL_LOCK = { text: ROW_LOCK, values: ['mempool'] }
