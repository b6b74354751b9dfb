/**
 * SQL that waits until no other transaction holds the lock of this name ($1), and holds it until its own ends. A row of the
 * service's schema, which only its role can lock: an advisory lock can be held by any role of the database, for ever.
 * The service's migrations create the table `lock`.
 */
export const ROW_LOCK = 'INSERT INTO lock (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name WHERE false'
