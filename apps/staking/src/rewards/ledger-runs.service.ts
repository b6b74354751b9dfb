import { hostname } from 'node:os'
import { Injectable } from '@nestjs/common'
import { acquireLease } from '@trestle/database/lease'
import { Pool } from 'pg'
import { ChainsService } from '../chains/chains.service.js'
import type { LedgerRun } from './epochs.service.js'

/** Takes the lease of a chain's ledger. */
@Injectable()
export class LedgerRunsService {
  constructor(
    private readonly pool: Pool,
    private readonly chains: ChainsService,
  ) {}

  names(): readonly string[] {
    return this.chains.names()
  }

  /** Waits for the lease. */
  async begin(name: string, signal: AbortSignal): Promise<LedgerRun> {
    const chain = await this.chains.get(name)
    const lease = await acquireLease({ pool: this.pool, name: `rewards:${name}`, holder: `${hostname()} ${process.pid}` }, signal)
    return { chain, lease }
  }
}
