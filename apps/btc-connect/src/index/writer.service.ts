import { hostname } from 'node:os'
import { Inject, Injectable } from '@nestjs/common'
import { acquireLease, type Lease } from '@trestle/database/lease'
import { Pool, type PoolClient } from 'pg'

/** Injects connections without a statement timeout. */
export const WRITER_POOL = Symbol('WRITER_POOL')

/** The lease of this process to write the index, and the transactions that it fences. */
@Injectable()
export class WriterService {
  private lease?: Lease

  constructor(
    private readonly pool: Pool,
    @Inject(WRITER_POOL) private readonly unlimited: Pool,
  ) {}

  /** Waits for the lease; the returned signal aborts when it is lost. */
  async begin(signal: AbortSignal): Promise<AbortSignal> {
    this.lease = await acquireLease({ pool: this.pool, name: 'indexer', holder: `${hostname()} ${process.pid}` }, signal)
    return this.lease.signal
  }

  /** Commits only while this process holds the lease. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (!this.lease) throw new Error('This process does not hold the lease of the index.')
    return this.lease.transaction(this.unlimited, work)
  }

  /** Aborts the running transaction and releases the lease. */
  async end(): Promise<void> {
    await this.lease?.release()
  }
}
