/**
 * SQL that waits until no other transaction holds the lock of this name ($1), and holds it until its own ends. A row of the
 * service's schema, which only its role can lock: an advisory lock can be held by any role of the database, for ever.
 * The service's migrations create the table `lock`.
 */
export const ROW_LOCK = 'INSERT INTO lock (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name WHERE false'

/** SQL that locks the row of this name ($1) until the transaction ends, unless another has it: then it finds no row. A migration adds the row. */
export const TRY_ROW_LOCK = 'SELECT FROM lock WHERE name = $1 FOR UPDATE SKIP LOCKED'
