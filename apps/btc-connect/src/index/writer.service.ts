import { hostname } from 'node:os'
import { Inject, Injectable } from '@nestjs/common'
import { acquireLease, type Lease } from '@trestle/database/lease'
import { Pool, type PoolClient } from 'pg'

/** Injects connections whose statements may take as long as they need. */
export const WRITER_POOL = Symbol('WRITER_POOL')

/** The right of this process to write the index, and the transactions that need it. */
@Injectable()
export class WriterService {
  private lease?: Lease

  constructor(
    private readonly pool: Pool,
    @Inject(WRITER_POOL) private readonly patient: Pool,
  ) {}

  /** Waits until nobody else writes; the signal it answers with aborts when that is over. */
  async begin(signal: AbortSignal): Promise<AbortSignal> {
    this.lease = await acquireLease({ pool: this.pool, name: 'indexer', holder: `${hostname()} ${process.pid}` }, signal)
    return this.lease.signal
  }

  /** Commits only while this process is the writer. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (!this.lease) throw new Error('This process is not the writer.')
    return this.lease.transaction(this.patient, work)
  }

  /** Breaks off what is on its way, and lets the next one write. */
  async end(): Promise<void> {
    await this.lease?.release()
  }
}
