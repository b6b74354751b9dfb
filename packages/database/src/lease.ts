import { setTimeout as delay } from 'node:timers/promises'
import { Client, type Pool, type PoolClient } from 'pg'
import { transaction } from './transaction.js'

interface LeaseOptions {
  readonly pool: Pool
  /** The work that one process at a time may do. */
  readonly name: string
  /** The name of this process, for people to read. */
  readonly holder: string
  /** How long others wait for a holder that is connected but does not renew. */
  readonly ttlMs?: number
}

/** Another process holds the lease now, or may. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

const TTL_MS = 15_000
const RETRY_MS = 500

// Identifies one connection of this server for ever: process numbers are reused.
const OWN_SESSION = "(SELECT pid || '@' || extract(epoch FROM backend_start) FROM pg_stat_activity WHERE pid = pg_backend_pid())"

// It is free when it expires, and at once when its holder's connection is gone: the process was killed, or Postgres was.
const ACQUIRE = `
  INSERT INTO lease AS held (name, epoch, holder, session, held_until)
  VALUES ($1, 1, $2, ${OWN_SESSION}, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE
    SET epoch = held.epoch + 1, holder = excluded.holder, session = excluded.session, held_until = excluded.held_until
  WHERE held.held_until <= clock_timestamp()
     OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid || '@' || extract(epoch FROM backend_start) = held.session)
  RETURNING epoch`

const RENEW = `
  UPDATE lease SET session = ${OWN_SESSION}, held_until = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE name = $1 AND epoch = $2`

const RELEASE = 'UPDATE lease SET held_until = clock_timestamp() WHERE name = $1 AND epoch = $2'

// The lock makes the next holder wait until our commit, which should therefore follow at once.
const FENCE = 'SELECT FROM lease WHERE name = $1 AND epoch = $2 FOR SHARE'

const held = new WeakMap<Pool, Set<Lease>>()

/** The names of the leases that this process holds. */
export function heldLeases(pool: Pool): string[] {
  return [...(held.get(pool) ?? [])].map(({ name }) => name)
}

/** Waits for the lease. The service's migrations create the table `lease`. */
export async function acquireLease(options: LeaseOptions, signal?: AbortSignal): Promise<Lease> {
  while (true) {
    const lease = await tryLease(options)
    if (lease && !signal?.aborted) return lease
    await lease?.release()
    await delay(RETRY_MS, undefined, { signal })
  }
}

/** The lease, if it is free now. */
export async function tryLease(options: LeaseOptions): Promise<Lease | undefined> {
  const requestedAt = performance.now()
  const session = await options.pool.connect()
  try {
    const { name, holder, ttlMs = TTL_MS } = options
    const { rows } = await session.query<{ epoch: string }>(ACQUIRE, [name, holder, ttlMs])
    if (rows[0]) return new Lease(options, BigInt(rows[0].epoch), session, requestedAt)
  } catch (error) {
    session.release(true)
    throw error
  }
  session.release()
  return undefined
}

/**
 * The right to be the only writer. It is renewed in the background; `signal` aborts when it is lost or released.
 * A holder may notice a loss too late: what passes `fence` therefore commits before the next holder begins, or never.
 */
export class Lease {
  private readonly pool: Pool
  readonly name: string
  private readonly ttlMs: number
  private readonly ended = new AbortController()
  private session: PoolClient | undefined
  private renewal: NodeJS.Timeout | undefined
  private expiry: NodeJS.Timeout | undefined

  constructor(
    { pool, name, ttlMs = TTL_MS }: LeaseOptions,
    /** Rises with every holder. */
    readonly epoch: bigint,
    session: PoolClient,
    requestedAt: number,
  ) {
    this.pool = pool
    this.name = name
    this.ttlMs = ttlMs
    held.set(pool, (held.get(pool) ?? new Set()).add(this))
    this.watch(session)
    this.heldSince(requestedAt)
  }

  get signal(): AbortSignal {
    return this.ended.signal
  }

  /** Lets only the holder commit this transaction; to be called last in it. */
  async fence(client: PoolClient): Promise<void> {
    this.signal.throwIfAborted()
    const { rowCount } = await client.query({ name: 'fence_lease', text: FENCE, values: [this.name, this.epoch] })
    if (rowCount === 0) throw this.lose('Another process has acquired it.')
  }

  /** A fenced transaction, which is aborted when the lease ends. */
  async transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
    try {
      return await transaction(pool, async (client) => {
        this.signal.throwIfAborted()
        // Closes the socket under a running statement. A pool's clients are Clients, which their type does not say.
        const abort = () => void (client instanceof Client && client.end())
        this.signal.addEventListener('abort', abort, { once: true })
        try {
          const result = await work(client)
          await this.fence(client)
          return result
        } finally {
          this.signal.removeEventListener('abort', abort)
        }
      })
    } catch (error) {
      this.signal.throwIfAborted()
      throw error
    }
  }

  /** Lets the next process acquire it. */
  async release(): Promise<void> {
    if (this.signal.aborted) return
    const session = this.end(new LeaseLost(`The lease ${this.name} was released.`))
    await session?.query(RELEASE, [this.name, this.epoch]).then(
      () => session.release(),
      (error) => session.release(error),
    )
  }

  private async renew(): Promise<void> {
    try {
      const requestedAt = performance.now()
      if (!this.session) this.watch(await this.pool.connect())
      const result = await this.session?.query(RENEW, [this.name, this.epoch, this.ttlMs])
      if (this.signal.aborted) return
      if (result?.rowCount === 0) this.lose('Another process has acquired it.')
      else this.heldSince(requestedAt)
    } catch {
      this.dismiss()?.release(true)
      this.renewIn(Math.min(RETRY_MS, this.ttlMs / 10))
    }
  }

  private heldSince(requestedAt: number): void {
    clearTimeout(this.expiry)
    const leftMs = requestedAt + this.ttlMs - performance.now()
    this.expiry = setTimeout(() => this.lose(`It could not be renewed for ${this.ttlMs / 1000} s.`), leftMs).unref()
    this.renewIn(this.ttlMs / 3)
  }

  private renewIn(ms: number): void {
    clearTimeout(this.renewal)
    if (!this.signal.aborted) this.renewal = setTimeout(() => this.renew(), ms).unref()
  }

  private lose(reason: string): LeaseLost {
    const lost = new LeaseLost(`The lease ${this.name} is lost. ${reason}`)
    this.end(lost)?.release(lost)
    return lost
  }

  private end(reason: LeaseLost): PoolClient | undefined {
    clearTimeout(this.expiry)
    clearTimeout(this.renewal)
    this.ended.abort(reason)
    held.get(this.pool)?.delete(this)
    return this.dismiss()
  }

  private watch(session: PoolClient): void {
    this.session = session
    session.on('end', this.onSessionEnd)
    if (this.signal.aborted) this.dismiss()?.release()
  }

  private dismiss(): PoolClient | undefined {
    const { session } = this
    this.session = undefined
    session?.off('end', this.onSessionEnd)
    return session
  }

  // Without this session it looks abandoned to others.
  private readonly onSessionEnd = (): void => {
    this.dismiss()?.release(true)
    this.renewIn(0)
  }
}
